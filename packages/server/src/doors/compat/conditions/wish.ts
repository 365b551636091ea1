/**
 * It is a parsed condition of these applications' language: every spelling of the same condition is the same here, and
 * negative ones stand in a `not`.
 */
export type CompatCondition =
  | { readonly all: readonly CompatCondition[] }
  | { readonly any: readonly CompatCondition[] }
  | { readonly not: CompatCondition }
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

/** It holds for everything. */
export const everything: CompatCondition = { all: [] }

export const not = (wish: CompatCondition): CompatCondition => ('not' in wish ? wish.not : { not: wish })

/** With several values any one of them is enough; without values everything matches. */
export const anyOf = (wishes: readonly CompatCondition[]): readonly CompatCondition[] =>
  wishes.length === 0 ? [] : [{ any: wishes }]

export const text = (field: Field, value: string): CompatCondition => ({ field, test: { is: 'equal', text: value } })

/** The ids that one field of a wish names, however deep. */
export const idsNamed = (wish: CompatCondition, field: Field): string[] => {
  if ('field' in wish) return wish.field === field && wish.test.is === 'equal' ? [wish.test.text] : []
  if ('not' in wish) return idsNamed(wish.not, field)
  return ('all' in wish ? wish.all : wish.any).flatMap((each) => idsNamed(each, field))
}

/** The one value that a field must have for the whole to hold, where that is so, and what is left of the wish then. */
export const splitOff = (
  wish: CompatCondition,
  field: Field,
): { readonly value: string | undefined; readonly rest: CompatCondition } => {
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
