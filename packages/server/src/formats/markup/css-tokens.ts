/** The smallest parts of a style sheet, as CSS Syntax 3 divides it. Escapes are resolved: `\75rl(` is a `url`. */
export type CssToken =
  | { readonly kind: 'space' | 'comment' | 'bad' }
  | { readonly kind: 'ident' | 'function' | 'at' | 'hash' | 'string' | 'url'; readonly value: string }
  /** `raw` is the number as it was written, with its `%`. */
  | { readonly kind: 'number'; readonly raw: string; readonly unit: string }
  | { readonly kind: 'sign'; readonly value: string }

export const cssTokens = (source: string): CssToken[] => {
  const text = source
    .replaceAll(/\r\n?|\f/g, '\n')
    .replaceAll('\0', '\uFFFD')
    .toWellFormed()
  const tokens: CssToken[] = []
  let position = 0
  while (position < text.length) {
    const { token, end } = tokenAt(text, position)
    tokens.push(token)
    position = end
  }
  return tokens
}

/** It writes what `cssTokens` reads as the same tokens again; never a `<`, so that it may stand in any document. */
export const writeCssToken = (token: CssToken): string => {
  switch (token.kind) {
    case 'space':
      return ' '
    // Without a comment between them two tokens could become another one.
    case 'comment':
      return '/**/'
    case 'bad':
      return ''
    case 'ident':
      return writeIdent(token.value)
    case 'function':
      return `${writeIdent(token.value)}(`
    case 'at':
      return `@${writeIdent(token.value)}`
    case 'hash':
      return `#${writeName(token.value)}`
    case 'string':
      return writeString(token.value)
    case 'url':
      return `url(${writeString(token.value)})`
    case 'number':
      return token.raw + writeUnit(token.unit)
    case 'sign':
      return token.value
  }
}

interface TokenRange {
  readonly token: CssToken
  readonly end: number
}

const escapePattern = String.raw`\\(?:[0-9a-fA-F]{1,6}[ \t\n]?|[^\n0-9a-fA-F])`
const nameCharacter = String.raw`[-\w\u0080-\u{10FFFF}]`
const space = /[ \t\n]+/y
const identifier = new RegExp(
  `(?:--|-?(?:[a-zA-Z_\\u0080-\\u{10FFFF}]|${escapePattern}))(?:${nameCharacter}|${escapePattern})*`,
  'uy',
)
const name = new RegExp(`(?:${nameCharacter}|${escapePattern})+`, 'uy')
const number = /[+-]?(?:\d*\.\d+|\d+)(?:[eE][+-]?\d+)?/y

const match = (pattern: RegExp, text: string, position: number): string | undefined => {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}

const tokenAt = (text: string, position: number): TokenRange => {
  const character = text.charAt(position)
  const blank = match(space, text, position)
  if (blank !== undefined) return { token: { kind: 'space' }, end: position + blank.length }
  if (text.startsWith('/*', position)) return { token: { kind: 'comment' }, end: after(text, '*/', position + 2) }
  if (character === '"' || character === "'") return stringAt(text, position)
  // These signs hid a style sheet from browsers of 1996.
  if (text.startsWith('<!--', position)) return { token: { kind: 'comment' }, end: position + 4 }
  if (text.startsWith('-->', position)) return { token: { kind: 'comment' }, end: position + 3 }
  return numberAt(text, position) ?? wordAt(text, position) ?? signAt(text, position)
}

const after = (text: string, sought: string, from: number): number => {
  const index = text.indexOf(sought, from)
  return index === -1 ? text.length : index + sought.length
}

const stringAt = (text: string, position: number): TokenRange => {
  const quote = text.charAt(position)
  let end = position + 1
  while (end < text.length && text.charAt(end) !== quote) {
    if (text.charAt(end) === '\n') return { token: { kind: 'bad' }, end }
    end += text.charAt(end) === '\\' ? 2 : 1
  }
  const value = resolveEscapes(text.slice(position + 1, end))
  return { token: { kind: 'string', value }, end: Math.min(text.length, end + 1) }
}

const numberAt = (text: string, position: number): TokenRange | undefined => {
  const raw = match(number, text, position)
  if (raw === undefined) return undefined
  const end = position + raw.length
  if (text.charAt(end) === '%') return { token: { kind: 'number', raw: `${raw}%`, unit: '' }, end: end + 1 }
  const unit = match(identifier, text, end) ?? ''
  return { token: { kind: 'number', raw, unit: resolveEscapes(unit) }, end: end + unit.length }
}

const wordAt = (text: string, position: number): TokenRange | undefined => {
  const prefix = text.charAt(position)
  if (prefix === '#' || prefix === '@') {
    const word = match(prefix === '#' ? name : identifier, text, position + 1)
    if (word === undefined) return undefined
    const kind = prefix === '#' ? 'hash' : 'at'
    return { token: { kind, value: resolveEscapes(word) }, end: position + 1 + word.length }
  }
  const word = match(identifier, text, position)
  if (word === undefined) return undefined
  const value = resolveEscapes(word)
  const end = position + word.length
  if (text.charAt(end) !== '(') return { token: { kind: 'ident', value }, end }
  if (value.toLowerCase() === 'url') return urlAt(text, end + 1)
  return { token: { kind: 'function', value }, end: end + 1 }
}

/** It starts behind `url(`. Anything that is not a plain address, quoted or not, is bad up to its end. */
const urlAt = (text: string, from: number): TokenRange => {
  const start = from + (match(space, text, from)?.length ?? 0)
  const character = text.charAt(start)
  if (character !== '"' && character !== "'") return bareUrlAt(text, start)
  const { token, end } = stringAt(text, start)
  const close = end + (match(space, text, end)?.length ?? 0)
  const isClosed = text.charAt(close) === ')' || close >= text.length
  if (token.kind !== 'string' || !isClosed) return { token: { kind: 'bad' }, end: after(text, ')', end) }
  return { token: { kind: 'url', value: token.value }, end: Math.min(text.length, close + 1) }
}

const bareUrlAt = (text: string, start: number): TokenRange => {
  let end = start
  while (end < text.length && text.charAt(end) !== ')') end += text.charAt(end) === '\\' ? 2 : 1
  const written = text.slice(start, endOfWords(text, start, end))
  const close = Math.min(text.length, end + 1)
  // eslint-disable-next-line no-control-regex
  if (/["'(\s\x01-\x08\x0E-\x1F\x7F]|\\(?:\n|$)/.test(written.replaceAll(escapes, 'x'))) {
    return { token: { kind: 'bad' }, end: close }
  }
  return { token: { kind: 'url', value: resolveEscapes(written) }, end: close }
}

/** The space at the end is left out; a regular expression would try every space there is. */
const endOfWords = (text: string, start: number, end: number): number => {
  let last = Math.min(end, text.length)
  while (last > start && /[ \t\n]/.test(text.charAt(last - 1))) last -= 1
  return last
}

const signAt = (text: string, position: number): TokenRange => {
  const value = String.fromCodePoint(text.codePointAt(position) ?? 0)
  const isKnown = /[-!#$%&'()*+,./:;=>?@[\]^`{|}~]/.test(value)
  return { token: isKnown ? { kind: 'sign', value } : { kind: 'bad' }, end: position + value.length }
}

const escapes = /\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|(\n)|([^\n]))/gu

const resolveEscapes = (word: string): string =>
  word.includes('\\')
    ? word.replaceAll(escapes, (_, hexadecimal?: string, newline?: string, character?: string) =>
        hexadecimal === undefined ? (newline === undefined ? (character ?? '') : '') : fromHexadecimal(hexadecimal),
      )
    : word

const fromHexadecimal = (digits: string): string => {
  const codePoint = Number.parseInt(digits, 16)
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
  return isCharacter ? String.fromCodePoint(codePoint) : '\uFFFD'
}

const codeEscape = (character: string): string => `\\${(character.codePointAt(0) ?? 0).toString(16)} `

const writeIdent = (value: string): string => {
  const start = /^(?:-?\d|-$)/.exec(value)?.[0]
  if (start === undefined) return writeName(value)
  const dash = start.startsWith('-') && start.length > 1 ? '-' : ''
  return dash + codeEscape(start.slice(dash.length)) + writeName(value.slice(start.length))
}

const writeName = (value: string): string => value.replaceAll(/[^-\w\u0080-\u{10FFFF}]/gu, codeEscape)

const writeString = (value: string): string =>
  // eslint-disable-next-line no-control-regex
  `"${value.replaceAll(/[\0-\x1F"\\<\x7F]/g, codeEscape)}"`

/** `1e3` is a number: a unit that looks like an exponent is written with an escape. */
const writeUnit = (unit: string): string =>
  /^e[-+]?\d/i.test(unit) ? codeEscape(unit.charAt(0)) + writeName(unit.slice(1)) : writeIdentUnit(unit)

const writeIdentUnit = (unit: string): string => (unit === '' ? '' : writeIdent(unit))
