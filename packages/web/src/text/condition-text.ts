import { bookFields, conditionLimits, type ConditionTarget, type FieldKind, seriesFields } from '@carrel/api'
import { wordText } from './condition-word.ts'

/** A test of a field, with whatever its operator takes. */
export interface Test {
  readonly operator: string
  readonly value?: string | number
  readonly values?: readonly string[]
  readonly min?: number | null
  readonly max?: number | null
  readonly start?: string | null
  readonly end?: string | null
}
/** The same trees, as code that walks them sees them: what the contract says more exactly is the server's to check. */
export type Tree =
  | { readonly allOf: readonly Tree[] }
  | { readonly anyOf: readonly Tree[] }
  | { readonly not: Tree }
  | { readonly [field: string]: Test }

type Fields = Readonly<Record<string, FieldKind>>
export const fieldsOf = (target: ConditionTarget): Fields => (target === 'series' ? seriesFields : bookFields)

export const allOf = (tree: Tree): readonly Tree[] | undefined =>
  'allOf' in tree ? (tree.allOf as readonly Tree[]) : undefined
export const anyOf = (tree: Tree): readonly Tree[] | undefined =>
  'anyOf' in tree ? (tree.anyOf as readonly Tree[]) : undefined
export const negated = (tree: Tree): Tree | undefined => ('not' in tree ? (tree.not as Tree) : undefined)
export const leafOf = (tree: Tree): readonly [string, Test] => {
  const [[field, test] = ['', { operator: '' }]] = Object.entries(tree) as [string, Test][]
  return [field, test]
}

const signs: Readonly<Record<FieldKind, Readonly<Record<string, string>>>> = {
  text: { is: '=', isNot: '!=', contains: '~', doesNotContain: '!~', beginsWith: '^=', endsWith: '$=' },
  status: { is: '=', isNot: '!=' },
  id: { is: '=', isNot: '!=' },
  flag: {},
  number: { eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' },
  date: { after: '>', before: '<', onOrAfter: '>=', onOrBefore: '<=' },
}
const lists: Readonly<Record<string, string>> = { in: '=', notIn: '!=' }
const states: Readonly<Record<string, string>> = { isNull: 'none', isNotNull: 'any', isTrue: 'yes', isFalse: 'no' }

/**
 * A condition as an address writes it: `genre=Comedy year=2000..2010 -(tag~war or readStatus=read)`. Side by side means
 * all of them, `or` between means any, `-` not; what has spaces stands in quotes.
 */
export const conditionText = (target: ConditionTarget, condition: Tree): string => {
  const fields = fieldsOf(target)
  return (allOf(condition) ?? [condition]).map((each) => termText(fields, each)).join(' ')
}

const termText = (fields: Fields, tree: Tree): string => {
  const not = negated(tree)
  if (not) return `-${termText(fields, not)}`
  const all = allOf(tree)
  if (all) return `(${all.map((each) => termText(fields, each)).join(' ')})`
  const any = anyOf(tree)
  if (any) {
    const terms = any.map((each) => termText(fields, each))
    return terms.length > 1 ? `(${terms.join(' or ')})` : `(${['or', ...terms].join(' ')})`
  }
  const [field, test] = leafOf(tree)
  return field + testText(fields[field] ?? 'text', test)
}

const testText = (kind: FieldKind, test: Test): string => {
  const { operator, value, values, min, max, start, end } = test
  const state = states[operator]
  if (state !== undefined) return `:${state}`
  if (operator === 'between') return `=${min ?? start ?? ''}..${max ?? end ?? ''}`
  if (values) return `${lists[operator]}[${values.map(wordText).join(',')}]`
  return `${signs[kind][operator]}${wordText(String(value))}`
}

/** It says where and why a text is no condition. */
export class NoCondition extends Error {
  readonly position: number

  constructor(position: number, message: string) {
    super(message)
    this.name = 'NoCondition'
    this.position = position
  }
}

/** The other way round. It throws `NoCondition`. */
export const parseConditionText = (target: ConditionTarget, text: string): Tree => {
  const reader: Reader = { fields: fieldsOf(target), text, position: 0 }
  const terms = readTerms(reader, 1)
  if (reader.position < text.length)
    throw new NoCondition(reader.position, text.slice(reader.position, reader.position + 20))
  return terms
}

interface Reader {
  readonly fields: Fields
  readonly text: string
  position: number
}

const take = (reader: Reader, pattern: RegExp): string | undefined => {
  pattern.lastIndex = reader.position
  const token = pattern.exec(reader.text)?.[0]
  if (token !== undefined) reader.position += token.length
  return token
}

const refuse = ({ text, position }: Reader): NoCondition =>
  new NoCondition(position, text.slice(position, position + 20))

/** The inside of a group, up to its `)` or the end. */
const readTerms = (reader: Reader, depth: number): Tree => {
  // A client may hold more than the server takes: it says so itself, at the position.
  if (depth > conditionLimits.depth * 3) throw refuse(reader)
  const terms: Tree[] = []
  let isAny = false
  for (;;) {
    take(reader, /\s+/y)
    if (take(reader, /or(?=[\s)]|$)/y) !== undefined) {
      isAny = true
    } else if (reader.position >= reader.text.length || reader.text[reader.position] === ')') {
      return isAny ? { anyOf: terms } : { allOf: terms }
    } else {
      terms.push(readTerm(reader, depth))
    }
  }
}

const readTerm = (reader: Reader, depth: number): Tree => {
  if (depth > conditionLimits.depth * 3) throw refuse(reader)
  if (take(reader, /-/y) !== undefined) return { not: readTerm(reader, depth + 1) }
  if (take(reader, /\(/y) !== undefined) {
    const group = readTerms(reader, depth + 1)
    if (take(reader, /\)/y) === undefined) throw refuse(reader)
    return group
  }
  const { position } = reader
  const field = take(reader, /\w+/y) ?? ''
  const kind = Object.hasOwn(reader.fields, field) ? reader.fields[field] : undefined
  if (kind === undefined) {
    reader.position = position
    throw refuse(reader)
  }
  return { [field]: readTest(reader, kind) }
}

const readTest = (reader: Reader, kind: FieldKind): Test => {
  const { position } = reader
  const sign = take(reader, /!=|!~|\^=|\$=|>=|<=|[=~<>:]/y)
  if (sign === ':') return { operator: readState(reader, kind) }
  if (sign !== undefined && kind === 'id' && reader.text[reader.position] === '[') return readList(reader, sign)
  const rest = { ...reader }
  const word = readWord(reader)
  const range = sign === '=' && (kind === 'number' || kind === 'date') ? /^(.*?)\.\.(.*)$/.exec(word) : null
  if (range) return rangeOf(rest, kind, range)
  const [operator] = Object.entries(signs[kind]).find(([, each]) => each === sign) ?? []
  if (operator === undefined) {
    reader.position = position
    throw refuse(reader)
  }
  return { operator, value: kind === 'number' ? numberOf(rest, word) : word }
}

const readState = (reader: Reader, kind: FieldKind): string => {
  const word = take(reader, /\w+/y)
  const [operator] = Object.entries(states).find(([, each]) => each === word) ?? []
  const isOfFlag = operator === 'isTrue' || operator === 'isFalse'
  const isAllowed = kind === 'flag' ? isOfFlag : !isOfFlag && kind !== 'status' && kind !== 'id'
  if (operator === undefined || !isAllowed) throw refuse(reader)
  return operator
}

const readList = (reader: Reader, sign: string): Test => {
  const [operator] = Object.entries(lists).find(([, each]) => each === sign) ?? []
  if (operator === undefined) throw refuse(reader)
  take(reader, /\[/y)
  const values: string[] = []
  while (take(reader, /\]/y) === undefined) {
    if (values.length > 0 && take(reader, /,/y) === undefined) throw refuse(reader)
    values.push(readWord(reader))
  }
  return { operator, values }
}

const readWord = (reader: Reader): string => {
  const quoted = take(reader, /"(?:[^"\\]|\\.)*"/y)
  if (quoted !== undefined) return textIn(reader, quoted)
  const word = take(reader, /[^\s"()[\],]+/y)
  if (word === undefined) throw refuse(reader)
  return word
}

const textIn = (reader: Reader, quoted: string): string => {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw refuse(reader)
  }
}

const numberOf = (reader: Reader, word: string): number => {
  const number = Number(word)
  if (word === '' || !Number.isFinite(number)) throw refuse(reader)
  return number
}

const rangeOf = (reader: Reader, kind: FieldKind, [, from = '', to = '']: readonly string[]): Test => {
  if (kind === 'number') {
    const [min, max] = [from, to].map((end) => (end === '' ? null : numberOf(reader, end)))
    return { operator: 'between', min: min ?? null, max: max ?? null }
  }
  return { operator: 'between', start: from === '' ? null : from, end: to === '' ? null : to }
}
