import type { Direction } from '../../../reader/page-layout.ts'
import type { Size } from '../../../reader/zoom.ts'

/** Where the pages are shown: all of the window, or what a sheet or the end of the book leaves of it. */
export interface Stage {
  readonly size: Size
  /** It begins at this edge of the window. */
  readonly from: 'left' | 'right'
  /** A sheet stands beside it, and not over the lower bar. */
  readonly isBeside: boolean
  /** The lower part of the window is covered: the lower bar too. */
  readonly isCovered: boolean
  /** Where the end of the book is shown: where one would read on. */
  readonly endSide: 'left' | 'right' | 'bottom'
}

const sheetWidth = 352
const drawerWidth = 280
const wide = 768
/** On a phone the sheet takes this part of the window. */
const sheetPart = 0.52

interface Reader {
  readonly direction: Direction
  /** The app itself is read from right to left: sheets stand on the other side. */
  readonly isMirrored: boolean
}

/** It stands where lines begin, and not where they end. */
export const isDrawer = (panel: string | undefined): boolean => panel === 'contents' || panel === 'search'

export const stageOf = (window: Size, panel: string | undefined, { direction, isMirrored }: Reader): Stage => {
  const { width, height } = window
  const isWide = width >= wide
  const isLandscape = width > height && isWide
  const endSide = isLandscape && direction !== 'webtoon' ? (direction === 'rtl' ? 'left' : 'right') : 'bottom'
  const usual = { size: window, from: 'left', isBeside: false, isCovered: false, endSide } as const
  if (panel === 'settings' || isDrawer(panel)) {
    if (!isWide) return { ...usual, size: { width, height: Math.round(height * (1 - sheetPart)) }, isCovered: true }
    const from = isDrawer(panel) === isMirrored ? 'left' : 'right'
    const taken = isDrawer(panel) ? drawerWidth : sheetWidth
    return { ...usual, size: { width: width - taken, height }, from, isBeside: true }
  }
  if (panel !== 'end') return usual
  if (endSide === 'bottom') return { ...usual, size: { width, height: Math.round(height / 2) }, isCovered: true }
  return { ...usual, size: { width: Math.round(width / 2), height }, from: endSide === 'left' ? 'right' : 'left' }
}
