import type { ReaderSettings } from '@carrel/api'
import type { PageSize } from './spreads.ts'

type PageSetting =
  | 'direction'
  | 'spreads'
  | 'fit'
  | 'background'
  | 'tapZones'
  | 'gap'
  | 'sidePadding'
  | 'coverAlone'
  | 'widePages'
  | PictureSetting
export type PictureSetting = 'brightness' | 'contrast' | 'warmth' | 'invert' | 'grey'
type PageSettings = Required<Pick<ReaderSettings, PageSetting>>
export type Picture = Required<Pick<ReaderSettings, PictureSetting>>
export type Direction = Exclude<PageSettings['direction'], 'auto'>

/** It says how a book is shown: every setting has a value. */
export interface PageLayout extends Omit<PageSettings, 'direction' | 'spreads'> {
  readonly direction: Direction
  readonly isDouble: boolean
  /** The window is higher than wide: what `widePages` says holds. */
  readonly isUpright: boolean
}

/** The picture as it was drawn. */
export const asDrawn: Picture = { brightness: 100, contrast: 100, warmth: 0, invert: false, grey: false }

/** These are the defaults. */
export const usual: PageSettings = {
  direction: 'auto',
  spreads: 'auto',
  fit: 'smart',
  background: 'black',
  tapZones: 'sides',
  gap: 0,
  sidePadding: 0,
  coverAlone: true,
  widePages: 'whole',
  ...asDrawn,
}

interface LayoutContext {
  /** The book, its series or its library says it. */
  readonly bookDirection: Direction
  readonly window: { readonly width: number; readonly height: number }
}

/** From this height on, in widths, a page is a piece of a strip: whole in a window, nobody could read it. */
const stripRatio = 2.5

/** How a book is read that nobody has said anything else of: most of its pages may tell that it is a strip. */
export const directionOfBook = (said: Direction, sizes: readonly PageSize[]): Direction => {
  const known = sizes.flatMap(({ width, height }) => (width === null || height === null ? [] : [height / width]))
  const isStrip = known.filter((ratio) => ratio >= stripRatio).length > known.length / 2
  return isStrip && said !== 'rtl' ? 'webtoon' : said
}

export const pageLayoutOf = (settings: ReaderSettings, { bookDirection, window }: LayoutContext): PageLayout => {
  const { direction: chosenDirection, spreads, ...rest } = { ...usual, ...settings }
  const direction = chosenDirection === 'auto' ? bookDirection : chosenDirection
  const isSideways = direction === 'ltr' || direction === 'rtl'
  const isRoomy = window.width > window.height && window.width >= 900
  const isDouble = isSideways && (spreads === 'auto' ? isRoomy : spreads === 'double')
  return { ...rest, direction, isDouble, isUpright: window.height > window.width }
}

/** What a style sheet calls `filter`; undefined for a picture as it was drawn, which then costs nothing. */
export const filterOf = ({ brightness, contrast, warmth, invert, grey }: Picture): string | undefined => {
  const steps = [
    invert ? 'invert(1) hue-rotate(180deg)' : '',
    grey ? 'grayscale(1)' : '',
    brightness === 100 ? '' : `brightness(${brightness / 100})`,
    contrast === 100 ? '' : `contrast(${contrast / 100})`,
    // The light of an evening: less blue, without losing the other colours.
    warmth === 0 ? '' : `sepia(${(warmth * 0.6) / 100}) saturate(${1 + (warmth * 0.35) / 100})`,
  ].filter((step) => step !== '')
  return steps.length === 0 ? undefined : steps.join(' ')
}
