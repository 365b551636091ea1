import { invalid } from '../../../platform/errors.ts'
import { momentIn, numberIn, truthIn } from '../../../platform/text/spelled-values.ts'
import { inId } from '../spelling.ts'
import { type CompatCondition, equal, everything, type Field, not, that } from './list-options.ts'

export type Target = 'series' | 'books'

type Kind = 'id' | 'flag' | 'text' | 'day' | 'number' | 'word' | 'author' | 'poster' | readonly string[]

const readStatuses = ['UNREAD', 'IN_PROGRESS', 'READ'] as const
const shared = {
  libraryId: 'id',
  deleted: 'flag',
  oneShot: 'flag',
  title: 'text',
  releaseDate: 'day',
  tag: 'word',
  readStatus: readStatuses,
  author: 'author',
  poster: 'poster',
} as const
const kinds: Readonly<Record<Target, Readonly<Partial<Record<Field, Kind>>>>> = {
  series: {
    ...shared,
    collectionId: 'id',
    complete: 'flag',
    titleSort: 'text',
    genre: 'word',
    sharingTag: 'word',
    publisher: 'word',
    language: 'word',
    ageRating: 'number',
    seriesStatus: ['ENDED', 'ONGOING', 'ABANDONED', 'HIATUS'],
  },
  books: {
    ...shared,
    seriesId: 'id',
    readListId: 'id',
    numberSort: 'number',
    mediaStatus: ['READY', 'UNKNOWN', 'ERROR', 'UNSUPPORTED', 'OUTDATED'],
    mediaProfile: ['DIVINA', 'PDF', 'EPUB'],
  },
}

/** Field names match in any case. */
const fieldsOf = (target: Target): ReadonlyMap<string, Field> =>
  new Map(Object.keys(kinds[target]).map((name) => [nameOf(name as Field).toLowerCase(), name as Field]))
const nameOf = (field: Field): string => (field === 'sharingTag' ? 'sharingLabel' : field)
const fields = { series: fieldsOf('series'), books: fieldsOf('books') } as const

const limits = { depth: 16, leaves: 500, textLength: 1000 }

interface Walk {
  readonly target: Target
  readonly now: Date
  leaves: number
}

interface ConditionPosition {
  readonly at: string
  readonly depth: number
}

/**
 * It parses any JSON the way these applications write their conditions: names in any case, several of them in one
 * object, keys that mean nothing, empty lists that stand for everything.
 */
export const readCondition = (target: Target, json: unknown, now: Date): CompatCondition => {
  if (json === undefined || json === null) return everything
  return node({ target, now, leaves: 0 }, json, { at: '/condition', depth: 0 })
}

const node = (walk: Walk, json: unknown, { at, depth }: ConditionPosition): CompatCondition => {
  if (!isObject(json)) throw refused(at, 'must be an object')
  if (depth > limits.depth) throw refused(at, `is nested more than ${limits.depth} levels deep`)
  const conditions = Object.entries(json).flatMap(([name, value]): CompatCondition[] => {
    const plain = name.toLowerCase()
    const below = { at: `${at}/${shown(name)}`, depth: depth + 1 }
    if (plain === 'allof') return [{ allOf: group(walk, value, below) }]
    if (plain === 'anyof') {
      const parts = group(walk, value, below)
      return [parts.length === 0 ? everything : { anyOf: parts }]
    }
    const field = fields[walk.target].get(plain)
    return field === undefined ? [] : [leaf(walk, field, value, below.at)]
  })
  const [first, ...others] = conditions
  if (!first)
    throw refused(at, `must have one of allOf, anyOf, ${[...fields[walk.target].values()].map(nameOf).join(', ')}`)
  return others.length === 0 ? first : { allOf: conditions }
}

const group = (walk: Walk, json: unknown, { at, depth }: ConditionPosition): CompatCondition[] => {
  if (!Array.isArray(json)) throw refused(at, 'must be a list of conditions')
  return json.map((each, index) => node(walk, each, { at: `${at}/${index}`, depth }))
}

const leaf = (walk: Walk, field: Field, json: unknown, at: string): CompatCondition => {
  walk.leaves += 1
  if (walk.leaves > limits.leaves) throw refused(at, `is one too many: a condition has at most ${limits.leaves} fields`)
  if (!isObject(json)) throw refused(at, 'must be an object with an operator')
  const operand = operandOf(json)
  const operator = typeof operand.operator === 'string' ? operand.operator.toLowerCase() : ''
  const kind = kinds[walk.target][field] ?? 'text'
  const made = typeof kind === 'string' ? operators[kind][operator] : ofWords(kind)[operator]
  if (!made) throw refused(`${at}/operator`, 'is not an operator of this field')
  return made({ field, walk, at }, operand)
}

interface Operand {
  readonly operator?: unknown
  readonly value?: unknown
  readonly datetime?: unknown
  readonly duration?: unknown
}

/** Keys match in any case. */
const operandOf = (json: Readonly<Record<string, unknown>>): Operand =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]))

interface Leaf {
  readonly field: Field
  readonly walk: Walk
  readonly at: string
}

type Make = (leaf: Leaf, operand: Operand) => CompatCondition
type Operators = Readonly<Record<string, Make | undefined>>

/** An operator and its opposite. */
const pair = (names: readonly [string, string], make: Make): Operators => ({
  [names[0]]: make,
  [names[1]]: (leaf, operand) => not(make(leaf, operand)),
})

const presence: Make = ({ field }) => that(field, { operator: 'isNotNull' })
const nothing = pair(['isnotnull', 'isnull'], presence)

const textOf = ({ at }: Leaf, value: unknown): string => {
  if (typeof value !== 'string') throw refused(`${at}/value`, 'must be text')
  if (value.length > limits.textLength)
    throw refused(`${at}/value`, `must have at most ${limits.textLength} characters`)
  // Neither database can store these.
  if (value.includes('\0') || !value.isWellFormed())
    throw refused(`${at}/value`, 'must not hold a null character or half a character')
  return value
}

const texts =
  (operator: 'is' | 'contains' | 'beginsWith' | 'endsWith'): Make =>
  (leaf, { value }) =>
    that(leaf.field, { operator, value: textOf(leaf, value) })

/** A series has one of these at most, and its record says `""` where it has none. */
const single: ReadonlySet<Field> = new Set(['publisher', 'language'])

const word: Make = (leaf, operand) => {
  const isNone = single.has(leaf.field) && textOf(leaf, operand.value).trim() === ''
  return isNone ? not(presence(leaf, operand)) : texts('is')(leaf, operand)
}

const numbers =
  (operator: 'eq' | 'gte' | 'lte'): Make =>
  (leaf, { value }) => {
    const number = typeof value === 'string' ? (numberIn(value) ?? value) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) throw refused(`${leaf.at}/value`, 'must be a number')
    return that(leaf.field, { operator, value: number })
  }

/** A text that is no id is the id of nothing. */
const nobody = '00000000-0000-0000-0000-000000000000'

const ids: Make = (leaf, { value }) => equal(leaf.field, inId(textOf(leaf, value)) ?? nobody)

const days =
  (operator: 'after' | 'before'): Make =>
  (leaf, { datetime }) => {
    const time = typeof datetime === 'string' ? momentIn(datetime) : Number.NaN
    if (Number.isNaN(time)) throw refused(`${leaf.at}/dateTime`, 'must be a date and time such as 2026-11-21T10:00:00Z')
    return that(leaf.field, { operator, value: dayAt(time) })
  }

const earliest = Date.parse('0000-01-01')
const latest = Date.parse('9999-12-31')
const dayAt = (time: number): string => new Date(Math.min(latest, Math.max(earliest, time))).toISOString().slice(0, 10)

const dayMs = 86_400_000
const duration =
  /^P(?:(\d{1,5})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,7})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?$/i

const inTheLast: Make = (leaf, { duration: text }) => {
  const [matched, ...parts] = (typeof text === 'string' ? duration.exec(text.trim()) : null) ?? []
  if (matched === undefined || parts.every((part) => part === undefined))
    throw refused(`${leaf.at}/duration`, 'must be a duration such as P30D')
  const [years = 0, months = 0, weeks = 0, daysLong = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number(part ?? 0),
  )
  const length = years * 365 + months * 30 + weeks * 7 + daysLong + hours / 24 + minutes / 1440 + seconds / 86_400
  return that(leaf.field, { operator: 'after', value: dayAt(leaf.walk.now.getTime() - length * dayMs) })
}

const person: Make = (leaf, { value }) => {
  if (!isObject(value)) throw refused(`${leaf.at}/value`, 'must be an object with a name, a role or both')
  const named = Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]))
  const partOf = (part: unknown) =>
    part === undefined || part === null || part === '' ? undefined : textOf(leaf, part)
  const [name, role] = [partOf(named['name']), partOf(named['role'])?.trim().toLowerCase()]
  return name === undefined && role === undefined ? everything : that(leaf.field, { name, role })
}

const posterTypes = ['GENERATED', 'SIDECAR', 'USER_UPLOADED']

const poster: Make = (leaf, { value }) => {
  if (!isObject(value)) throw refused(`${leaf.at}/value`, 'must be an object with a type, selected or both')
  const type = typeof value['type'] === 'string' ? value['type'].toUpperCase() : undefined
  if (type !== undefined && !posterTypes.includes(type))
    throw refused(`${leaf.at}/value/type`, `must be one of ${posterTypes.join(', ')}`)
  const given = value['selected']
  const selected = typeof given === 'string' ? truthIn(given) : given === true || given === false ? given : undefined
  return type === undefined && selected === undefined ? everything : that(leaf.field, { type, selected })
}

const operators: Readonly<Record<Exclude<Kind, readonly string[]>, Operators>> = {
  id: pair(['is', 'isnot'], ids),
  flag: {
    istrue: ({ field }) => that(field, { operator: 'isTrue' }),
    isfalse: ({ field }) => that(field, { operator: 'isFalse' }),
  },
  text: {
    ...pair(['is', 'isnot'], texts('is')),
    ...pair(['contains', 'doesnotcontain'], texts('contains')),
    ...pair(['beginswith', 'doesnotbeginwith'], texts('beginsWith')),
    ...pair(['endswith', 'doesnotendwith'], texts('endsWith')),
  },
  word: { ...pair(['is', 'isnot'], word), ...nothing },
  day: {
    after: days('after'),
    before: days('before'),
    ...pair(['isinthelast', 'isnotinthelast'], inTheLast),
    ...nothing,
  },
  // Comparisons in these applications include the number itself.
  number: {
    ...pair(['is', 'isnot'], numbers('eq')),
    greaterthan: numbers('gte'),
    lessthan: numbers('lte'),
    ...nothing,
  },
  author: pair(['is', 'isnot'], person),
  poster: pair(['is', 'isnot'], poster),
}

const ofWords = (words: readonly string[]): Operators =>
  pair(['is', 'isnot'], (leaf, { value }) => {
    const word = textOf(leaf, value).toUpperCase()
    if (!words.includes(word)) throw refused(`${leaf.at}/value`, `must be one of ${words.join(', ')}`)
    return equal(leaf.field, leaf.field === 'readStatus' ? word.toLowerCase() : word)
  })

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const shown = (name: string): string => name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

const refused = (at: string, message: string) => invalid(at, `${at.slice(1)} ${message}.`)
