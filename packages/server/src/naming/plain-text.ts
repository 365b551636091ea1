/** The longest name that is read; a file system gives 255 bytes. */
const longestName = 1024

const extensions = /\.(?:kepub\.epub|fb2\.zip|cb[zr7t]|zip|rar|7z|tar|epub|kepub|pdf|mobi|azw3?|fb2|fbz)$/i
/** Kinds of files in which `Author - Title` is how books are named. PDF is as often a comic or a magazine. */
const ebookExtensions = /\.(?:epub|kepub|mobi|azw3?|fb2|fb2\.zip|fbz)$/i

/** It replaces a year in brackets, so that its position stays known; no name holds this character. */
export const yearMark = '\uE000'
/** It replaces what a rule has already read. */
export const readMark = '\uE001'

export interface PlainName {
  /** The stem is as written, without extension. */
  readonly stem: string
  /** Widths folded, what stands for a space a space. */
  readonly text: string
  readonly isEbook: boolean
  /** Words were joined by dots, so years and release words have no brackets. */
  readonly isDotted: boolean
}

export const plainName = (name: string): PlainName => {
  const text = name.slice(0, longestName).replace(/[\uE000\uE001]/g, ' ')
  const stem = text.replace(extensions, '') || text
  const folded = foldWidths(stem).replace(unseen, ' ').replace(colonAsCalibreHasIt, ': ').replaceAll('_', ' ')
  const isDotted = !folded.trim().includes(' ') && wordDots.test(folded)
  const spaced = isDotted ? folded.replace(/\.(?!\d(?!\d))|(?<!\d)\.(?=\d)/g, dotToSpace) : folded
  return {
    stem: stem.trim(),
    text: hyphensToSpaces(spaced).replace(/\s+/g, ' ').trim(),
    isEbook: ebookExtensions.test(text),
    isDotted,
  }
}

/** `Dune_ The Graphic Novel`: no file may be called with a colon on every system. */
const colonAsCalibreHasIt = /(?<=[\p{L}\p{N}])_ (?=\p{L})/gu

/** The pattern spares characters that combine emoji or join letters: without them these fall apart. */
const unseen = /(?!\u200C|\u200D|[\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}]/gu

/** It removes separators from both ends. */
export const trimTitle = (text: string): string => {
  const trimmed = text
    .replace(/[\uE000\uE001]/g, ' ')
    .replace(/\s+/g, ' ')
    // A bracket taken out between two dashes leaves both.
    .replace(/ [-–—] (?=[-–—] )/g, ' ')
    .replace(/^(?:[\s–—:,;~|/、]|-(?!\d)|\.(?=\s|$))+/u, '')
  const end = trimmed.length - trailing(trimmed)
  return withoutLastDot(trimmed.slice(0, end))
}

// The loop counts backwards: a pattern anchored only at its end is tried from every position.
const trailing = (text: string): number => {
  let count = 0
  while (count < text.length && ' -–—:,;~|/、#'.includes(text.charAt(text.length - 1 - count))) count += 1
  return count
}

/** `Наруто.` before a volume loses its dot, `S.H.I.E.L.D.` keeps it. */
const withoutLastDot = (text: string): string =>
  /(?:^|\s)[^\s.]{4,}\.$/u.test(text.slice(-64)) ? text.slice(0, -1) : text

const foldWidths = (text: string): string =>
  text
    .normalize('NFC')
    .replace(
      /[\uFF03\uFF06-\uFF09\uFF0B-\uFF0E\uFF10-\uFF19\uFF21-\uFF3B\uFF3D\uFF3F\uFF41-\uFF5B\uFF5D\uFF5E]/g,
      (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
    )
    .replace(/[\u3000\u00A0]/g, ' ')
    .replaceAll('〜', '~')

const wordDots = /[^\s.\d][^\s.]+\.[^\s.]|\d\.[^\s.\d][^\s.]/u

const dotToSpace = (dot: string, position: number, text: string): string =>
  // The dots of initials stay: `S.H.I.E.L.D`.
  /(?:^|[\s.])\p{L}$/u.test(text.slice(Math.max(0, position - 2), position)) &&
  /^\.\p{L}(?:\.|$)/u.test(text.slice(position, position + 3))
    ? dot
    : ' '

/** `one-piece-chapter-1044` and `Bleach-012` have hyphens for spaces; `Catch-22`, `X-23` and `11-22-63` do not. */
const hyphensToSpaces = (text: string): string => {
  if (text.includes(' ')) return text
  const words = text.split('-')
  const last = words.at(-1) ?? ''
  if (!/^\d+(?:\.\d+)?$/.test(last) || !/^\p{L}{2}/u.test(words[0] ?? '')) return text
  return words.length > 2 || last.startsWith('0') ? words.join(' ') : text
}

/** It returns whether the text consists only of separators. */
export const isSeparator = (text: string): boolean => /^[\s\-–—:,.;~|/()[\]{}\uE000\uE001]*$/u.test(text)
