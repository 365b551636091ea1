/**
 * What a list is narrowed by in these applications' language, once it has been understood: every spelling of the same
 * thing is one thing here, and what is negative stands in a `not`.
 */
export type Wish =
  | { readonly all: readonly Wish[] }
  | { readonly any: readonly Wish[] }
  | { readonly not: Wish }
  | { readonly field: Field; readonly test: Test }

export type Field =
  | 'libraryId'
  | 'collectionId'
  | 'readListId'
  | 'seriesId'
  | 'deleted'
  | 'oneShot'
  | 'complete'
  | 'title'
  | 'titleSort'
  | 'releaseDate'
  | 'releaseYear'
  | 'numberSort'
  | 'tag'
  | 'genre'
  | 'sharingLabel'
  | 'publisher'
  | 'language'
  | 'ageRating'
  | 'readStatus'
  | 'seriesStatus'
  | 'mediaStatus'
  | 'mediaProfile'
  | 'author'
  | 'poster'
  | 'changed'

export type Test =
  /** There is a value at all. */
  | { readonly is: 'known' }
  | { readonly is: 'true' | 'false' }
  | { readonly is: 'equal' | 'containing' | 'beginning' | 'ending'; readonly text: string }
  /** The first letter is one of these; or, turned round, none of them. */
  | { readonly is: 'lettered'; readonly from: string; readonly to: string }
  | { readonly is: 'number' | 'atLeast' | 'atMost'; readonly number: number }
  /** Days such as `2026-11-21`: later than one, earlier than one. */
  | { readonly is: 'after' | 'before'; readonly day: string }
  | { readonly is: 'person'; readonly name: string | undefined; readonly role: string | undefined }
  | { readonly is: 'poster'; readonly type: string | undefined; readonly selected: boolean | undefined }

/** Holds for everything. */
export const everything: Wish = { all: [] }

export const not = (wish: Wish): Wish => ('not' in wish ? wish.not : { not: wish })

/** Of several values any will do; of none all. */
export const anyOf = (wishes: readonly Wish[]): readonly Wish[] => (wishes.length === 0 ? [] : [{ any: wishes }])

export const text = (field: Field, value: string): Wish => ({ field, test: { is: 'equal', text: value } })

/** The ids that one field of a wish names, however deep. */
export const idsNamed = (wish: Wish, field: Field): string[] => {
  if ('field' in wish) return wish.field === field && wish.test.is === 'equal' ? [wish.test.text] : []
  if ('not' in wish) return idsNamed(wish.not, field)
  return ('all' in wish ? wish.all : wish.any).flatMap((each) => idsNamed(each, field))
}

/** The one value that a field must have for the whole to hold, where that is so, and what is left of the wish then. */
export const splitOff = (wish: Wish, field: Field): { readonly value: string | undefined; readonly rest: Wish } => {
  if ('field' in wish)
    return wish.field === field && wish.test.is === 'equal'
      ? { value: wish.test.text, rest: everything }
      : { value: undefined, rest: wish }
  const parts = 'all' in wish ? wish.all : 'any' in wish && wish.any.length === 1 ? wish.any : []
  for (const [place, part] of parts.entries()) {
    const { value, rest } = splitOff(part, field)
    if (value !== undefined) return { value, rest: { all: parts.with(place, rest) } }
  }
  return { value: undefined, rest: wish }
}
