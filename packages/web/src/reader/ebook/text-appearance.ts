import type { ReaderSettings } from '@carrel/api'

type TextSettings = Required<
  Pick<
    ReaderSettings,
    | 'textFlow'
    | 'textTheme'
    | 'textColour'
    | 'pageColour'
    | 'textFont'
    | 'textSize'
    | 'lineHeight'
    | 'textMargin'
    | 'textAlign'
    | 'hyphens'
    | 'columns'
    | 'tapZones'
  >
>

/**
 * It says how text is shown: every setting has a value, except the line height, which a publisher may have chosen
 * better.
 */
export interface TextAppearance extends Omit<TextSettings, 'lineHeight'> {
  readonly lineHeight: number | undefined
}

/** These are the defaults. */
export const usualEbook: TextSettings = {
  textFlow: 'paged',
  textTheme: 'app',
  textColour: '#1d1f1e',
  pageColour: '#f7f7f5',
  textFont: 'publisher',
  textSize: 100,
  lineHeight: 150,
  textMargin: 7,
  textAlign: 'publisher',
  hyphens: 'publisher',
  columns: 'auto',
  tapZones: 'sides',
}

export const textAppearanceOf = (settings: ReaderSettings): TextAppearance => {
  const { textFlow, textTheme, textColour, pageColour, textFont, textSize } = { ...usualEbook, ...settings }
  const { textMargin, textAlign, hyphens, columns, tapZones } = { ...usualEbook, ...settings }
  const about = { textMargin, textAlign, hyphens, columns, tapZones, lineHeight: settings.lineHeight }
  return { textFlow, textTheme, textColour, pageColour, textFont, textSize, ...about }
}

export interface Colours {
  readonly text: string
  readonly page: string
  readonly link: string
  readonly isDark: boolean
  /** The book's own colours stay. */
  readonly isPublishers: boolean
}

const themes = {
  light: { text: '#22231f', page: '#fbfaf6', link: '#175b57', isDark: false, isPublishers: true },
  sepia: { text: '#43351f', page: '#f4ead6', link: '#7a4a12', isDark: false, isPublishers: false },
  grey: { text: '#e4e6e5', page: '#3a3d3c', link: '#9fd6cd', isDark: true, isPublishers: false },
  dark: { text: '#d6dad8', page: '#171918', link: '#84c3ba', isDark: true, isPublishers: false },
  oled: { text: '#b9bfbc', page: '#000000', link: '#84c3ba', isDark: true, isPublishers: false },
} as const satisfies Readonly<Record<string, Colours>>

/** `app`: how everything else looks. */
export const coloursOf = (
  { textTheme, textColour, pageColour }: Pick<TextAppearance, 'textTheme' | 'textColour' | 'pageColour'>,
  app: 'light' | 'dark' | 'oled',
): Colours => {
  if (textTheme !== 'own') return themes[textTheme === 'app' ? app : textTheme]
  return { text: textColour, page: pageColour, link: textColour, isDark: isDark(pageColour), isPublishers: false }
}

/** The colours are weighted the way eyes perceive them. */
const isDark = (colour: string): boolean => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((position) =>
    Number.parseInt(colour.slice(position, position + 2), 16),
  )
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128
}

/** `clear` is a font made for readers with dyslexia where one is installed, else one whose letters differ well. */
export const families: Readonly<Record<string, string>> = {
  serif: "'Literata', 'Charter', 'Bitstream Charter', 'Iowan Old Style', 'Georgia', serif",
  sans: "'Inter', 'Segoe UI', 'Roboto', 'Helvetica Neue', 'Arial', sans-serif",
  mono: "ui-monospace, 'Cascadia Mono', 'Menlo', 'Consolas', monospace",
  clear: "'OpenDyslexic', 'Atkinson Hyperlegible', 'Lexend', 'Verdana', 'DejaVu Sans', sans-serif",
}

/** The narrowest and the widest line that reads well, in widths of a letter's body: 45 to 75 letters of usual fonts. */
export const measure = { min: 23, max: 31 }

export interface OwnFont {
  readonly address: string
}

/** These style sheets stand around the book's own: the first yields to it, the other does not. */
export const styleSheetsOf = (
  appearance: TextAppearance,
  colours: Colours,
  ownFont?: OwnFont,
): readonly [before: string, after: string] => [
  before,
  fontFace(ownFont) + after(appearance, colours, ownFont !== undefined),
]

const before = `@layer carrel {
  html { font-family: 'Literata', 'Charter', 'Bitstream Charter', 'Iowan Old Style', 'Georgia', serif; line-height: 1.5; }
  html { font-variant-ligatures: common-ligatures contextual; font-kerning: normal; hanging-punctuation: first allow-end; }
  p, li, dd, blockquote { hyphens: auto; -webkit-hyphens: auto; hyphenate-limit-chars: 6 3 2; text-wrap: pretty; orphans: 2; widows: 2; }
  p { text-align: justify; }
  h1, h2, h3, h4, h5, h6 { hyphens: manual; -webkit-hyphens: manual; text-wrap: balance; break-after: avoid; }
  img, svg, audio, video { max-width: 100%; }
  video { max-height: 90vh; }
  .carrel-spoken { background: rgb(31 111 107 / 25%); }
}`

const fontFace = (font: OwnFont | undefined): string =>
  font === undefined ? '' : `@font-face { font-family: 'carrel-own'; src: url("${font.address}"); }`

const blocks = 'p, li, dd, blockquote'

const after = (appearance: TextAppearance, colours: Colours, hasOwn: boolean): string => {
  const { text, link, isDark, isPublishers } = colours
  const { textFont, textSize, lineHeight, textAlign, hyphens } = appearance
  const family = hasOwn ? "'carrel-own', serif" : families[textFont]
  const rules = [
    `:root { --carrel-scale: ${textSize / 100}; color-scheme: ${isDark ? 'dark' : 'light'}; }`,
    `html { font-size: ${16 * (textSize / 100)}px !important; color: ${text}; -webkit-text-size-adjust: none; }`,
    'body { overflow-wrap: break-word; }',
    'a:any-link { color: ' + link + '; }',
    '::selection { background: rgb(31 111 107 / 35%); }',
    '[data-carrel-picture] { cursor: zoom-in; }',
    pictureAlone,
    isPublishers ? '' : recoloured(text, link),
    isPublishers ? '' : 'html body .carrel-spoken { background-color: rgb(31 111 107 / 25%) !important; }',
    family === undefined
      ? ''
      : `html body, html body :not(code, pre, kbd, samp, code *, pre *) { font-family: ${family} !important; }`,
    textFont === 'clear' ? 'html body * { letter-spacing: 0.035em !important; word-spacing: 0.1em !important; }' : '',
    lineHeight === undefined
      ? ''
      : `html body, html body :is(${blocks}, div, dt, td, th) { line-height: ${lineHeight / 100} !important; }
  html body :is(h1, h2, h3, h4, h5, h6) { line-height: 1.25 !important; }`,
    textAlign === 'publisher'
      ? ''
      : `html body :is(${blocks}):not([data-carrel-aligned]) { text-align: ${textAlign} !important; }`,
    hyphens === 'publisher'
      ? ''
      : `html body :is(${blocks}) { hyphens: ${hyphens === 'on' ? 'auto' : 'manual'} !important; -webkit-hyphens: ${hyphens === 'on' ? 'auto' : 'manual'} !important; }`,
  ]
  return rules.filter((rule) => rule !== '').join('\n')
}

/** Black on black would be what a book's own colours make of a dark page. Pictures and drawings keep theirs. */
const recoloured = (text: string, link: string): string => `
  html, body { background: none !important; color: ${text} !important; }
  html body :not(svg, svg *, img, a, a *) { color: inherit !important; background-color: transparent !important; border-color: currentColor !important; }
  html body a:any-link, html body a:any-link * { color: ${link} !important; background-color: transparent !important; }`

/** It spans the columns, which are those of the whole sheet, and lies in the middle of what is seen. */
const pictureAlone = `
  html[data-carrel-alone] body { column-span: all; }
  html[data-carrel-alone] body, html[data-carrel-alone] body :not(img, svg, svg *) { display: flex; flex-direction: column; align-items: center; justify-content: center; position: static; float: none; width: 100%; height: 100%; margin: 0; padding: 0 !important; }
  html[data-carrel-alone] body :is(img, svg):not(svg *) { display: block; position: static; float: none; flex: none; margin: 0; }
  html[data-carrel-alone] img { width: auto; height: 100%; }
  html[data-carrel-alone] svg:not(svg *) { width: 100%; }`
