import type { ReaderSettings } from '@carrel/api'

type PageSetting = 'direction' | 'spreads' | 'fit' | 'background' | 'tapZones' | 'gap' | 'sidePadding' | 'coverAlone'
type Said = Required<Pick<ReaderSettings, PageSetting>>
export type Direction = Exclude<Said['direction'], 'auto'>

/** How a book is shown: every setting decided. */
export interface Look extends Omit<Said, 'direction' | 'spreads'> {
  readonly direction: Direction
  readonly isDouble: boolean
}

/** What holds where nothing was said. */
export const usual: Said = {
  direction: 'auto',
  spreads: 'auto',
  fit: 'smart',
  background: 'theme',
  tapZones: 'sides',
  gap: 0,
  sidePadding: 0,
  coverAlone: true,
}

interface Surroundings {
  /** As the book, its series or its library says. */
  readonly bookDirection: Direction
  readonly window: { readonly width: number; readonly height: number }
}

export const lookOf = (said: ReaderSettings, { bookDirection, window }: Surroundings): Look => {
  const { direction: wanted, spreads, ...rest } = { ...usual, ...said }
  const direction = wanted === 'auto' ? bookDirection : wanted
  const isSideways = direction === 'ltr' || direction === 'rtl'
  const isRoomy = window.width > window.height && window.width >= 900
  return { ...rest, direction, isDouble: isSideways && (spreads === 'auto' ? isRoomy : spreads === 'double') }
}
