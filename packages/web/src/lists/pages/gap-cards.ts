/** Something that is missing of a list, shown among what is there. */
export interface GapCard {
  readonly key: string
  /** So many entries of the list stand before it. */
  readonly at: number
  /** `11`, `12–14`. */
  readonly number: string
  /** `11 is missing`. */
  readonly label: string
}

/** The places in a list with gaps among its entries, against those in the list itself. */
export interface WithGaps {
  readonly gapAt: (position: number) => GapCard | undefined
  /** The entry that stands there; of a gap the one behind it. */
  readonly indexAt: (position: number) => number
  readonly placeOf: (index: number) => number
}

/** The gaps are in their order. */
export const withGaps = (gaps: readonly GapCard[]): WithGaps => {
  const gapPositions = gaps.map(({ at }, before) => at + before)
  const gapsBefore = (position: number): number => firstBeyond(gapPositions, position)
  return {
    gapAt: (position) => {
      const index = gapsBefore(position)
      return gapPositions[index] === position ? gaps[index] : undefined
    },
    indexAt: (position) => position - gapsBefore(position),
    placeOf: (index) => index + gaps.filter(({ at }) => at <= index).length,
  }
}

/** How many of these, which are in order, are smaller. */
const firstBeyond = (positions: readonly number[], position: number): number => {
  const index = positions.findIndex((each) => each >= position)
  return index === -1 ? positions.length : index
}
