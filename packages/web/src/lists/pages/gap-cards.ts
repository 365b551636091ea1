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
  readonly gapAt: (place: number) => GapCard | undefined
  /** The entry that stands there; of a gap the one behind it. */
  readonly indexAt: (place: number) => number
  readonly placeOf: (index: number) => number
}

/** The gaps are in their order. */
export const withGaps = (gaps: readonly GapCard[]): WithGaps => {
  const places = gaps.map(({ at }, before) => at + before)
  const gapsBefore = (place: number): number => firstBeyond(places, place)
  return {
    gapAt: (place) => {
      const index = gapsBefore(place)
      return places[index] === place ? gaps[index] : undefined
    },
    indexAt: (place) => place - gapsBefore(place),
    placeOf: (index) => index + gaps.filter(({ at }) => at <= index).length,
  }
}

/** How many of these, which are in order, are smaller. */
const firstBeyond = (places: readonly number[], place: number): number => {
  const found = places.findIndex((each) => each >= place)
  return found === -1 ? places.length : found
}
