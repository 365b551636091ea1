const widthMax = 150
/** What is no longer than this stands on the line of what it belongs to. */
const smallMax = 40

/** Each entry has a line of its own, however short it is: a change of one is a change of one line. */
const listed = new Set(['parameters', 'properties', 'content'])

/** What is read as a whole stays on one line, however long it is. */
const wholeKeys = new Set(['example', 'examples', 'enum', 'required', 'security', 'description', 'pattern', 'headers'])

type Entry = readonly [name: string, value: unknown]

/**
 * The contract as lines, for people who read what has changed in it. A line is the way to a value and the value itself, in
 * JSON but for the quotes of names and `→ schemas/Book` for a reference; nothing is left out.
 */
export const linesOf = (document: object): string[] =>
  partsOf(document).flatMap(([name, value]) => linesAt({ name, key: '', value }, ''))

/** What is about the whole, then the operations, then the components. */
export const partsOf = (document: object): Entry[] =>
  Object.entries(document).flatMap(([name, value]: Entry) => {
    if (name === 'paths')
      return inner(value).map(([path, method, operation]) => [`${method.toUpperCase()} ${path}`, operation])
    if (name === 'components') return inner(value).map(([kind, each, component]) => [`${kind}/${each}`, component])
    return [[name, value]]
  })

const inner = (value: unknown): [string, string, unknown][] =>
  Object.entries(value as Record<string, object>).flatMap(([outer, items]) =>
    Object.entries(items).map(([name, item]): [string, string, unknown] => [outer, name, item]),
  )

interface Item {
  /** How it is called from the beginning of its line. */
  readonly name: string
  readonly key: string
  readonly value: unknown
}

const linesAt = ({ name, key, value }: Item, indent: string): string[] => {
  const line = `${indent}${name} ${written(value)}`
  if (!canSplit(key, value) || (line.length <= widthMax && !isListed(key, value))) return [line]
  const entries = entriesOf(value)
  const isOnHead = ([each, item]: Entry): boolean =>
    !isListed(key, value) && (!canSplit(each, item) || written(item).length <= smallMax)
  const onHead = entries.filter(isOnHead)
  const below = entries
    .filter((entry) => !isOnHead(entry))
    .map(([each, item]): Item => ({ name: each, key: each, value: item }))
  // What has nothing on a line of its own gives its name to what is in it.
  if (onHead.length === 0) return below.flatMap((item) => linesAt({ ...item, name: `${name}/${item.name}` }, indent))
  return [`${indent}${name} ${writtenEntries(onHead)}`, ...below.flatMap((item) => linesAt(item, `${indent}  `))]
}

/** The order of a list is the order of its lines: a number would change with each entry that comes before. */
const entriesOf = (value: object): Entry[] =>
  Array.isArray(value) ? value.map((each: unknown): Entry => ['-', each]) : Object.entries(value)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const canSplit = (key: string, value: unknown): value is object =>
  isObject(value) && !('$ref' in value) && !wholeKeys.has(key) && Object.keys(value).length > 0

const isListed = (key: string, value: object): boolean => listed.has(key) || Array.isArray(value)

const written = (value: unknown): string => {
  if (!isObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  const { $ref: reference } = value as { $ref?: unknown }
  const isReference = typeof reference === 'string' && Object.keys(value).length === 1
  return isReference ? `→ ${reference.replace('#/components/', '')}` : writtenEntries(Object.entries(value))
}

const writtenEntries = (entries: readonly Entry[]): string =>
  entries.length === 0
    ? '{}'
    : `{ ${entries.map(([key, item]) => `${/^[\w$-]+$/.test(key) ? key : JSON.stringify(key)}: ${written(item)}`).join(', ')} }`
