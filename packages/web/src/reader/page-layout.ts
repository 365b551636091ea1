import type { ReaderSettings } from '@carrel/api'

type PageSetting = 'direction' | 'spreads' | 'fit' | 'background' | 'tapZones' | 'gap' | 'sidePadding' | 'coverAlone'
type PageSettings = Required<Pick<ReaderSettings, PageSetting>>
export type Direction = Exclude<PageSettings['direction'], 'auto'>

/** It says how a book is shown: every setting has a value. */
export interface PageLayout extends Omit<PageSettings, 'direction' | 'spreads'> {
  readonly direction: Direction
  readonly isDouble: boolean
}

/** These are the defaults. */
export const usual: PageSettings = {
  direction: 'auto',
  spreads: 'auto',
  fit: 'smart',
  background: 'theme',
  tapZones: 'sides',
  gap: 0,
  sidePadding: 0,
  coverAlone: true,
}

interface LayoutContext {
  /** The book, its series or its library says it. */
  readonly bookDirection: Direction
  readonly window: { readonly width: number; readonly height: number }
}

export const pageLayoutOf = (settings: ReaderSettings, { bookDirection, window }: LayoutContext): PageLayout => {
  const { direction: chosenDirection, spreads, ...rest } = { ...usual, ...settings }
  const direction = chosenDirection === 'auto' ? bookDirection : chosenDirection
  const isSideways = direction === 'ltr' || direction === 'rtl'
  const isRoomy = window.width > window.height && window.width >= 900
  return { ...rest, direction, isDouble: isSideways && (spreads === 'auto' ? isRoomy : spreads === 'double') }
}
