import { cssTokens, writeCssToken, type CssToken } from './css-tokens.ts'
import { allowedAddress, type Resolve } from './references.ts'

/**
 * A style sheet made safe: rebuilt from its tokens, so that what is not known is not there. Nothing is loaded but what
 * `resolve` allows, and nothing runs.
 */
export const filterStyleSheet = (source: string, resolve: Resolve): string => {
  const reader = readerOf(cssTokens(source), resolve)
  return readBlock(reader, 0)
}

/** The same for a `style` attribute: declarations only. */
export const filterDeclarations = (source: string, resolve: Resolve): string => {
  const tokens = cssTokens(source)
  // A block would end the declarations it stands among.
  if (tokens.some((token) => isSign(token, '{') || isSign(token, '}'))) return ''
  return readBlock(readerOf(tokens, resolve), 1)
}

/** The same for a single value, as attributes of SVG have it. Undefined when it may not be there. */
export const filterValue = (source: string, resolve: Resolve): string | undefined =>
  writeIfSafe(cssTokens(source), resolve)

interface Reader {
  readonly tokens: readonly CssToken[]
  readonly resolve: Resolve
  position: number
}

const readerOf = (tokens: readonly CssToken[], resolve: Resolve): Reader => ({ tokens, resolve, position: 0 })

const depthMax = 12

/** Rules and declarations up to the `}` that ends the block. At depth 0, a whole sheet: there declarations mean nothing. */
const readBlock = (reader: Reader, depth: number): string => {
  let written = ''
  while (reader.position < reader.tokens.length) {
    const token = reader.tokens[reader.position]
    if (token === undefined) break
    if (isSign(token, '}')) {
      reader.position += 1
      if (depth > 0) break
    } else if (token.kind === 'space' || token.kind === 'comment' || isSign(token, ';')) {
      reader.position += 1
    } else {
      written += token.kind === 'at' ? readAtRule(reader, token.value, depth) : readStatement(reader, depth)
    }
  }
  return written
}

const readStatement = (reader: Reader, depth: number): string => {
  const tokens = readUntilBlockOrEnd(reader)
  if (startsBlock(reader)) {
    const block = readInnerBlock(reader, depth)
    const prelude = writeIfSafe(tokens, reader.resolve)
    return prelude === undefined || block === undefined ? '' : `${prelude.trim()}{${block}}`
  }
  return depth === 0 ? '' : writeDeclaration(tokens, reader.resolve)
}

/** It reads everything up to `;`, `{` or `}` outside of brackets; the end itself is left. */
const readUntilBlockOrEnd = (reader: Reader): CssToken[] => {
  const start = reader.position
  let brackets = 0
  for (; reader.position < reader.tokens.length; reader.position += 1) {
    const token = reader.tokens[reader.position]
    if (token === undefined) break
    if (token.kind === 'function' || isSign(token, '(') || isSign(token, '[')) brackets += 1
    else if (isSign(token, ')') || isSign(token, ']')) brackets = Math.max(0, brackets - 1)
    else if (isSign(token, '{') || isSign(token, '}')) break
    else if (brackets === 0 && isSign(token, ';')) break
  }
  return reader.tokens.slice(start, reader.position)
}

const startsBlock = (reader: Reader): boolean => isSign(reader.tokens[reader.position], '{')

/** Undefined when it is nested too deep; it is read past all the same. */
const readInnerBlock = (reader: Reader, depth: number): string | undefined => {
  reader.position += 1
  if (depth < depthMax) return readBlock(reader, depth + 1)
  let open = 1
  for (; reader.position < reader.tokens.length && open > 0; reader.position += 1) {
    if (isSign(reader.tokens[reader.position], '{')) open += 1
    if (isSign(reader.tokens[reader.position], '}')) open -= 1
  }
  return undefined
}

/** Properties that load code in browsers of old. */
const forbiddenProperties = new Set(['behavior', '-ms-behavior', '-moz-binding'])

const writeDeclaration = (tokens: readonly CssToken[], resolve: Resolve): string => {
  const [property] = tokens
  const next = tokens.slice(1).find(({ kind }) => kind !== 'space' && kind !== 'comment')
  if (property?.kind !== 'ident' || !isSign(next, ':')) return ''
  if (forbiddenProperties.has(property.value.toLowerCase())) return ''
  const written = writeIfSafe(tokens, resolve)
  return written === undefined ? '' : `${written.trim()};`
}

const conditionRules = new Set(['media', 'supports', 'layer', 'container'])
const blockRules = /^(?:font-face|page|counter-style|(?:-webkit-)?keyframes|(?:top|bottom|left|right)(?:-[a-z]+){1,2})$/

const readAtRule = (reader: Reader, name: string, depth: number): string => {
  reader.position += 1
  const prelude = readUntilBlockOrEnd(reader)
  const rule = name.toLowerCase()
  if (startsBlock(reader)) {
    const block = readInnerBlock(reader, depth)
    const written = writeIfSafe(prelude, reader.resolve)
    const isKnown = conditionRules.has(rule) || blockRules.test(rule)
    return !isKnown || block === undefined || written === undefined ? '' : `@${rule}${written.trimEnd()}{${block}}`
  }
  if (depth > 0) return ''
  if (rule === 'import') return writeImport(prelude, reader.resolve)
  return rule === 'namespace' ? writeNamespace(prelude) : ''
}

const writeImport = (prelude: readonly CssToken[], resolve: Resolve): string => {
  const [sheet, ...conditions] = withoutSpaceBefore(prelude)
  if (sheet?.kind !== 'url' && sheet?.kind !== 'string') return ''
  const written = writeIfSafe([{ kind: 'url', value: sheet.value }, ...conditions], resolve)
  return written === undefined ? '' : `@import ${written.trimEnd()};`
}

/** Names, not addresses: nothing is loaded from them. */
const namespaces = new Set([
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1998/Math/MathML',
  'http://www.w3.org/1999/xlink',
  'http://www.idpf.org/2007/ops',
])

const writeNamespace = (prelude: readonly CssToken[]): string => {
  const parts = prelude.filter(({ kind }) => kind !== 'space' && kind !== 'comment')
  const prefix = parts[0]?.kind === 'ident' ? `${writeCssToken(parts[0])} ` : ''
  const [space, ...rest] = prefix === '' ? parts : parts.slice(1)
  if ((space?.kind !== 'url' && space?.kind !== 'string') || rest.length > 0) return ''
  return namespaces.has(space.value) ? `@namespace ${prefix}"${space.value}";` : ''
}

const withoutSpaceBefore = (tokens: readonly CssToken[]): readonly CssToken[] =>
  tokens.slice(tokens.findIndex(({ kind }) => kind !== 'space' && kind !== 'comment'))

/** It writes nothing when any part of it is unknown, unbalanced or leads out of the book. */
const writeIfSafe = (tokens: readonly CssToken[], resolve: Resolve): string | undefined => {
  let written = ''
  const open: string[] = []
  for (const token of tokens) {
    const part = writePart(token, resolve)
    if (part === undefined || !balances(token, open)) return undefined
    written += part
  }
  return written + open.toReversed().join('')
}

const balances = (token: CssToken, open: string[]): boolean => {
  if (token.kind === 'function' || isSign(token, '(')) open.push(')')
  else if (isSign(token, '[')) open.push(']')
  else if (isSign(token, ')') || isSign(token, ']')) return open.pop() === token.value
  return true
}

const writePart = (token: CssToken, resolve: Resolve): string | undefined => {
  switch (token.kind) {
    case 'bad':
    case 'at':
      return undefined
    case 'function':
      return functions.has(token.value.toLowerCase().replace(/^-(?:webkit|moz|ms|o|epub)-/, ''))
        ? writeCssToken(token)
        : undefined
    case 'url': {
      const value = allowedAddress('style', token.value, resolve)
      return value === undefined ? undefined : writeCssToken({ kind: 'url', value })
    }
    case 'sign':
      return token.value === '{' || token.value === '}' ? undefined : token.value
    case 'space':
    case 'comment':
    case 'ident':
    case 'hash':
    case 'string':
    case 'number':
      return writeCssToken(token)
  }
}

const isSign = (token: CssToken | undefined, value: string): token is CssToken & { kind: 'sign' } =>
  token?.kind === 'sign' && token.value === value

/** None of them loads anything. `image-set()`, `src()`, `image()`, `expression()` and whatever comes are not among them. */
const functions = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark device-cmyk
  calc min max clamp round mod rem sin cos tan asin acos atan atan2 pow sqrt hypot log exp abs sign
  var env attr counter counters symbols
  linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
  repeating-conic-gradient gradient from to color-stop
  matrix matrix3d translate translate3d translatex translatey translatez scale scale3d scalex scaley scalez
  rotate rotate3d rotatex rotatey rotatez skew skewx skewy perspective
  cubic-bezier steps linear blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  circle ellipse inset polygon path rect xywh minmax repeat fit-content
  local format tech stylistic styleset character-variant swash ornaments annotation
  not is where has matches any host nth-child nth-last-child nth-of-type nth-last-of-type nth-col nth-last-col
  lang dir first-letter first-line selection part slotted cue
  layer supports selector style`.split(/\s+/),
)
