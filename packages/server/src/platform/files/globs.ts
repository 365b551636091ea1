/**
 * These are patterns of what a scan skips: `*` within a name, `?` one character, `**` any folders, `[a-z]` and `[!a-z]`
 * one of these. Case does not count. Matching takes time proportional to pattern × path, whatever the pattern (no
 * regular expression).
 */
export type Excluder = (relativePath: string, isFolder: boolean) => boolean

/** `relativePath` without a slash at either end. What is in an excluded folder is never asked for: the walk does not go in. */
export const excluder = (patterns: readonly string[]): Excluder => {
  if (patterns.length === 0) return () => false
  const parsed = patterns.map(parsePattern)
  return (relativePath, isFolder) => {
    const path = [...fold(relativePath)]
    const name = path.slice(path.lastIndexOf('/') + 1)
    return parsed.some(
      ({ tokens, anywhere, foldersOnly }) => (isFolder || !foldersOnly) && matches(tokens, anywhere ? name : path),
    )
  }
}

/** Undefined when the pattern can be read, else what is wrong with it, as the end of a sentence. */
export const patternProblem = (pattern: string): string | undefined => {
  if (pattern.trim() === '') return 'must hold more than spaces'
  if (/(^|\/)\.\.(\/|$)/.test(pattern)) return 'must not lead out of the library'
  const { tokens } = parsePattern(pattern)
  if (tokens.some(({ kind }) => kind === 'unclosed')) return 'has a [ without its ]'
  if (tokens.every(({ kind }) => matchesAll.has(kind))) return 'would leave nothing in the library'
  return undefined
}

type Token =
  | { readonly kind: 'character'; readonly character: string }
  /** It matches any one character but a slash. */
  | { readonly kind: 'one' }
  /** It matches any number of characters but slashes. */
  | { readonly kind: 'any' }
  /** It matches any number of characters, slashes too. */
  | { readonly kind: 'folders' }
  /** It stands before folders that may be there or not. */
  | { readonly kind: 'maybe' }
  /** It matches any folders: anything that ends in a slash. */
  | { readonly kind: 'parents' }
  | { readonly kind: 'set'; readonly includes: (character: string) => boolean }
  | { readonly kind: 'unclosed' }

const matchesAll: ReadonlySet<Token['kind']> = new Set(['any', 'folders', 'maybe', 'parents'])

interface Pattern {
  readonly tokens: readonly Token[]
  /** A pattern without a slash counts at any depth. */
  readonly anywhere: boolean
  readonly foldersOnly: boolean
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase()

const parsePattern = (pattern: string): Pattern => {
  const foldersOnly = pattern.endsWith('/')
  const text = fold(pattern).replace(/^\/+/, '').replace(/\/+$/, '')
  return { tokens: tokensOf([...text]), anywhere: !fold(pattern).replace(/\/+$/, '').includes('/'), foldersOnly }
}

const tokensOf = (characters: readonly string[]): Token[] => {
  const tokens: Token[] = []
  let position = 0
  while (position < characters.length) {
    const [token, length] = tokenAt(characters, position)
    if (token.kind === 'parents') tokens.push({ kind: 'maybe' })
    tokens.push(token)
    position += length
  }
  return tokens
}

const tokenAt = (characters: readonly string[], position: number): [Token, number] => {
  const character = characters[position] ?? ''
  if (character === '?') return [{ kind: 'one' }, 1]
  if (character === '[') return setAt(characters, position)
  if (character !== '*') return [{ kind: 'character', character }, 1]
  let stars = 1
  while (characters[position + stars] === '*') stars += 1
  const isWhole = position === 0 || characters[position - 1] === '/'
  if (stars < 2 || !isWhole) return [{ kind: 'any' }, stars]
  if (characters[position + stars] === '/') return [{ kind: 'parents' }, stars + 1]
  return [characters[position + stars] === undefined ? { kind: 'folders' } : { kind: 'any' }, stars]
}

const setAt = (characters: readonly string[], position: number): [Token, number] => {
  const isNegated = characters[position + 1] === '!' || characters[position + 1] === '^'
  const from = position + (isNegated ? 2 : 1)
  // A bracket that comes first is one of the characters.
  const end = characters.indexOf(']', from + 1)
  if (end < 0) return [{ kind: 'unclosed' }, characters.length - position]
  const ranges = rangesOf(characters.slice(from, end))
  const includes = (character: string) =>
    character !== '/' && ranges.some(([first, last]) => character >= first && character <= last) !== isNegated
  return [{ kind: 'set', includes }, end - position + 1]
}

const rangesOf = (characters: readonly string[]): [string, string][] => {
  const ranges: [string, string][] = []
  for (let index = 0; index < characters.length; index += 1) {
    const first = characters[index] ?? ''
    const last = characters[index + 2]
    if (characters[index + 1] === '-' && last !== undefined) {
      ranges.push([first, last])
      index += 2
    } else ranges.push([first, first])
  }
  return ranges
}

/**
 * It computes all positions of the pattern that can be reached after each character: one pass over the path, without
 * backtracking.
 */
const matches = (tokens: readonly Token[], path: readonly string[]): boolean => {
  let reached = withEmpty(tokens, new Set([0]))
  for (const character of path) {
    const next = new Set<number>()
    for (const position of reached) step(tokens[position], character, position, next)
    if (next.size === 0) return false
    reached = withEmpty(tokens, next)
  }
  return reached.has(tokens.length)
}

const step = (token: Token | undefined, character: string, position: number, next: Set<number>): void => {
  if (!token) return
  const isSlash = character === '/'
  if (token.kind === 'character' && token.character === character) next.add(position + 1)
  if (token.kind === 'one' && !isSlash) next.add(position + 1)
  if (token.kind === 'set' && token.includes(character)) next.add(position + 1)
  if (token.kind === 'any' && !isSlash) next.add(position)
  if (token.kind === 'folders') next.add(position)
  if (token.kind === 'parents') {
    next.add(position)
    if (isSlash) next.add(position + 1)
  }
}

/** It adds the positions that need no character to be reached. */
const withEmpty = (tokens: readonly Token[], positions: Set<number>): Set<number> => {
  for (const position of positions) {
    const kind = tokens[position]?.kind
    if (kind === 'any' || kind === 'folders' || kind === 'maybe') positions.add(position + 1)
    if (kind === 'maybe') positions.add(position + 2)
  }
  return positions
}
