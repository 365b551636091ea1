import type { PageSize } from '../../../reader/spreads.ts'
import type { Size } from '../../../reader/zoom.ts'

export interface SpreadContent extends Size {
  readonly pages: readonly { readonly page: number; readonly left: number; readonly width: number }[]
}

/** A page without a known size counts as this large until it has loaded. */
const usual = { width: 1000, height: 1500 }

const sizeOf = (sizes: readonly PageSize[], page: number): Size => {
  const { width = null, height = null } = sizes[page - 1] ?? {}
  return width !== null && height !== null ? { width, height } : usual
}

/** Pages side by side, as high as the highest of them. */
export const contentOf = (pages: readonly number[], sizes: readonly PageSize[], gap: number): SpreadContent => {
  const own = pages.map((page) => ({ page, ...sizeOf(sizes, page) }))
  const height = Math.max(...own.map((each) => each.height))
  let left = 0
  const positioned = own.map((each) => {
    const width = (each.width * height) / each.height
    const at = { page: each.page, left, width }
    left += width + gap
    return at
  })
  return { pages: positioned, width: Math.max(1, left - gap), height }
}
