import type { PageLayout } from './page-layout.ts'

export type Tap = 'forward' | 'back' | 'menu'

interface Spot {
  /** 0 to 1, from the upper left corner. */
  readonly x: number
  readonly y: number
}

const side = 0.3

/** It decides what a tap means. The middle always shows the controls. */
export const tapAt = ({ x, y }: Spot, { tapZones, direction }: Pick<PageLayout, 'tapZones' | 'direction'>): Tap => {
  if (tapZones === 'off' || direction === 'webtoon') return 'menu'
  if (direction === 'ttb') return alongEdges(y)
  const isBackSide = direction === 'rtl' ? x > 1 - side : x < side
  const isForwardSide = direction === 'rtl' ? x < side : x > 1 - side
  if (tapZones === 'one-hand') return oneHanded({ x, y })
  return isForwardSide ? 'forward' : isBackSide ? 'back' : 'menu'
}

const alongEdges = (y: number): Tap => (y < side ? 'back' : y > 1 - side ? 'forward' : 'menu')

/** Either thumb turns on, whatever the direction; back is the strip at the top that a thumb reaches last. */
const oneHanded = ({ x, y }: Spot): Tap => {
  if (y < 0.2) return 'back'
  return x < side || x > 1 - side || y > 1 - side ? 'forward' : 'menu'
}
