/** It says where an address in a style sheet leads; undefined: nowhere, it is left out. */
export type Relink = (address: string) => string | undefined

const addresses = /url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^)"']*))\s*\)/gi

const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, hex: string | undefined, letter: string | undefined) => {
    const code = Number.parseInt(hex ?? '', 16)
    return hex === undefined ? (letter ?? '') : code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

/** It lists all addresses in a style sheet. */
export const addressesIn = (css: string): string[] =>
  [...css.matchAll(addresses)].map(([, one, other, plain]) => unescaped(one ?? other ?? plain ?? '').trim())

/** The address points into the same document: drawings refer to their parts like that. */
const isLocal = (address: string): boolean => address.startsWith('#')

export const relinked = (css: string, relink: Relink): string =>
  css.replaceAll(addresses, (written: string, one?: string, other?: string, plain?: string) => {
    const address = unescaped(one ?? other ?? plain ?? '').trim()
    if (isLocal(address)) return written
    return `url("${(relink(address) ?? 'about:invalid').replaceAll(/["\\\n]/g, encodeURIComponent)}")`
  })

interface WindowSize {
  readonly width: number
  readonly height: number
}

const sizesInWords: Readonly<Record<string, string>> = {
  'xx-small': '0.5625rem',
  'x-small': '0.625rem',
  small: '0.8125rem',
  medium: '1rem',
  large: '1.125rem',
  'x-large': '1.5rem',
  'xx-large': '2rem',
}

/**
 * Styles a publisher wrote for single pages are fitted to the columns of one long sheet: sizes in points grow with the
 * reader's font size, units of the window refer to the visible window, and a new page is a new column.
 */
export const fittedStyles = (css: string, { width, height }: WindowSize): string =>
  css
    .replaceAll(/(?<=[{;\s])-epub-/gi, '')
    .replaceAll(/(?<![\w.-])(\d*\.?\d+)(vw|vh)\b/gi, (_, number: string, unit: string) => {
      const side = unit.toLowerCase() === 'vw' ? width : height
      return `${(Number(number) * side) / 100}px`
    })
    .replaceAll(/(?<![\w-])page-break-(before|after)\s*:\s*(?:always|left|right)/gi, 'break-$1:column')
    .replaceAll(/(?<![\w-])break-(before|after)\s*:\s*(?:page|always|left|right|recto|verso)\b/gi, 'break-$1:column')
    .replaceAll(
      /(?<![\w-])font-size\s*:\s*(\d*\.?\d+)(px|pt|pc|mm|cm|in|q)\b/gi,
      'font-size:calc($1$2*var(--carrel-scale,1))',
    )
    .replaceAll(
      /(?<![\w-])font-size\s*:\s*(xx-small|x-small|small|medium|large|x-large|xx-large)(?![\w-])/gi,
      (_, word: string) => `font-size:${sizesInWords[word.toLowerCase()]}`,
    )
