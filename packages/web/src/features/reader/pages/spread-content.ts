import { type Half, isWide, type PageSize, type Spread } from '../../../reader/spreads.ts'
import type { PageLayout } from '../../../reader/page-layout.ts'
import type { Size } from '../../../reader/zoom.ts'

/** What is seen of a page, where that is not all of it, or not as it stands. */
export type PagePart = 'left' | 'right' | 'turned'

interface PlacedPage {
  readonly page: number
  readonly left: number
  readonly width: number
  readonly part?: PagePart | undefined
}

export interface SpreadContent extends Size {
  readonly pages: readonly PlacedPage[]
}

/** A page without a known size counts as this large until it has loaded. */
const usual = { width: 1000, height: 1500 }

const sizeOf = (sizes: readonly PageSize[], page: number, part: PagePart | undefined): Size => {
  const { width, height } = { ...usual, ...knownSize(sizes[page - 1]) }
  if (part === 'turned') return { width: height, height: width }
  return { width: part === undefined ? width : width / 2, height }
}

const knownSize = ({ width = null, height = null }: Partial<PageSize> = {}): Partial<Size> =>
  width !== null && height !== null ? { width, height } : {}

/** Pages side by side, as high as the highest of them. */
export const contentOf = (
  pages: readonly number[],
  sizes: readonly PageSize[],
  { gap, part }: { readonly gap: number; readonly part: PagePart | undefined },
): SpreadContent => {
  const own = pages.map((page) => ({ page, ...sizeOf(sizes, page, part) }))
  const height = Math.max(...own.map((each) => each.height))
  let left = 0
  const positioned = own.map((each) => {
    const width = (each.width * height) / each.height
    const at = { page: each.page, left, width, part }
    left += width + gap
    return at
  })
  return { pages: positioned, width: Math.max(1, left - gap), height }
}

/** A wide page alone on a screen that is higher than wide: half of it, or all of it turned, as one likes it. */
export const partOf = (
  { pages, half }: { readonly pages: Spread; readonly half?: Half | undefined },
  sizes: readonly PageSize[],
  { direction, widePages, isUpright }: Pick<PageLayout, 'direction' | 'widePages' | 'isUpright'>,
): PagePart | undefined => {
  if (half !== undefined) return (half === 'first') === (direction === 'rtl') ? 'right' : 'left'
  const size = sizes[pages[0] - 1]
  return widePages === 'turn' && isUpright && pages.length === 1 && size && isWide(size) ? 'turned' : undefined
}
