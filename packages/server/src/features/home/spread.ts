/** Null: nobody could measure it. */
interface PageSize {
  readonly width: number | null
  readonly height: number | null
}

const isWide = ({ width, height }: PageSize): boolean => width !== null && height !== null && width > height

/** More than this beside each other would be a strip: what is read downwards shows one page. */
const isStrip = ({ width, height }: PageSize): boolean => width !== null && height !== null && height > 3 * width

/**
 * The pages that lie open at this one, counted from 1: two, unless one of them is wide, is the cover or the last. They pair as
 * in the reader, as long as nobody has shifted them there.
 */
export const spreadAt = (pages: readonly PageSize[], page: number): readonly number[] => {
  const standsAlone = (number: number): boolean => {
    const size = pages[number - 1]
    return size === undefined || number === 1 || isWide(size) || isStrip(size)
  }
  let first = 1
  for (;;) {
    const isPair = !standsAlone(first) && !standsAlone(first + 1)
    const next = first + (isPair ? 2 : 1)
    if (next > page || next > pages.length) return isPair ? [first, first + 1] : [first]
    first = next
  }
}
