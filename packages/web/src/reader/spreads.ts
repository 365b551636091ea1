/** The size of a page is known before it is loaded; null where nobody could measure it. */
export interface PageSize {
  readonly width: number | null
  readonly height: number | null
}

/** The pages that are seen together, counted from 1, in reading order: one or two. */
export type Spread = readonly [number] | readonly [number, number]

export interface SpreadRules {
  readonly isDouble: boolean
  /** The first page is a cover: nothing lies beside it. */
  readonly coverAlone: boolean
  /** Pages from which on the pairing was shifted by one: they stand alone, or no longer do. */
  readonly shifts: ReadonlySet<number>
}

/** A page that is a spread by itself, as two pages scanned together are. */
export const isWide = ({ width, height }: PageSize): boolean => width !== null && height !== null && width > height

export const spreadsOf = (pages: readonly PageSize[], rules: SpreadRules): Spread[] => {
  const spreads: Spread[] = []
  for (let page = 1; page <= pages.length;) {
    const second = page + 1
    if (!rules.isDouble || standsAlone(pages, page, rules) || second > pages.length || isWideAt(pages, second)) {
      spreads.push([page])
      page += 1
    } else {
      spreads.push([page, second])
      page += 2
    }
  }
  return spreads
}

const isWideAt = (pages: readonly PageSize[], page: number): boolean => {
  const size = pages[page - 1]
  return size !== undefined && isWide(size)
}

const standsAlone = (pages: readonly PageSize[], page: number, { coverAlone, shifts }: SpreadRules): boolean =>
  isWideAt(pages, page) || (page === 1 && coverAlone) !== shifts.has(page)

export type Half = 'first' | 'second'

/** What is seen at once: a spread, or half of a wide page. */
export interface Opening {
  readonly pages: Spread
  readonly half?: Half
}

/** A wide page on a narrow screen may be seen one half after the other. */
export const openingsOf = (spreads: readonly Spread[], pages: readonly PageSize[], isSplit: boolean): Opening[] =>
  spreads.flatMap((spread): Opening[] =>
    isSplit && spread.length === 1 && isWideAt(pages, spread[0])
      ? [
          { pages: spread, half: 'first' },
          { pages: spread, half: 'second' },
        ]
      : [{ pages: spread }],
  )

/** The index of the opening that shows a page, or this half of it. */
export const openingAt = (openings: readonly Opening[], page: number, half?: Half): number => {
  const index = spreadAt(
    openings.map(({ pages }) => pages),
    page,
  )
  const first = openings[index - 1]?.pages[0] === openings[index]?.pages[0] ? index - 1 : index
  return half === 'second' && openings[first]?.half === 'first' ? first + 1 : first
}

/** The index of the spread that shows a page; the nearest for a page there is not. */
export const spreadAt = (spreads: readonly Spread[], page: number): number => {
  const after = spreads.findIndex(([first]) => first > page)
  return Math.max(0, (after === -1 ? spreads.length : after) - 1)
}

/** The pages stand from left to right, as on the screen. */
export const onScreen = (spread: Spread, isRightToLeft: boolean): readonly number[] =>
  isRightToLeft ? spread.toReversed() : spread

/** From the spread in view on, pages pair up one later; a second call undoes it. */
export const shiftedAt = (shifts: ReadonlySet<number>, [first]: Spread): ReadonlySet<number> => {
  const others = [...shifts].filter((page) => page !== first)
  return new Set(shifts.has(first) ? others : [...others, first])
}
