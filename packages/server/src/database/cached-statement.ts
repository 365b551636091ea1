import { type Compilable, CompiledQuery } from 'kysely'
import { BoundedMap } from '../platform/memory/bounded-map.ts'
import type { ReadDb } from './db.ts'

type Values<Name extends string, List extends string> = Readonly<Record<Name, string> & Record<List, readonly string[]>>

interface CachedStatement {
  readonly sql: string
  /** A value, or where one of those goes that differ each time. */
  readonly parameters: readonly unknown[]
}

/** Where a value goes, or one of a list, or a whole list. */
class Slot {
  readonly name: string
  readonly index: number | undefined
  constructor(name: string, index?: string) {
    this.name = name
    this.index = index === undefined ? undefined : Number(index)
  }
}

const shapesMax = 200
/** No text that a database takes begins with it. */
const mark = '\u0000slot '
const beforeIndex = '\u0000'

/**
 * A statement that is asked again and again is made once: making it takes longer than running it. `make` gets stand-ins for
 * the values and lists that differ each time, and `shape` says what else its text depends on. No list is empty; there is one
 * text for each power of two, and lists are filled up with their last value, which changes nothing for `in`.
 */
export const cachedStatement = <
  Row,
  Name extends string = never,
  Shape = undefined,
  Db extends ReadDb = ReadDb,
  List extends string = never,
>(
  make: (db: Db, slots: Values<Name, List>, shape: Shape) => Compilable<Row>,
  names: readonly Name[],
  lists: readonly List[] = [],
) => {
  const perDatabase = new WeakMap<object, BoundedMap<CachedStatement>>()

  const compile = (db: Db, shape: Shape, sizes: readonly number[]): CachedStatement => {
    const single = names.map((name) => [name, mark + name])
    const many = lists.map((name, at) => [
      name,
      Array.from({ length: sizes[at] ?? 0 }, (_, index) => `${mark}${name}${beforeIndex}${index}`),
    ])
    const slots = Object.fromEntries([...single, ...many]) as Values<Name, List>
    const { sql, parameters } = make(db, slots, shape).compile()
    return { sql, parameters: parameters.map(slotted) }
  }
  const statementFor = (db: Db, shape: Shape, sizes: readonly number[]): CachedStatement => {
    const { adapter } = db.getExecutor()
    const statements = perDatabase.get(adapter) ?? new BoundedMap<CachedStatement>(shapesMax)
    const key = `${sizes.join()} ${shape === undefined ? '' : JSON.stringify(shape)}`
    const statement = statements.get(key)
    if (statement) return statement
    const made = compile(db, shape, sizes)
    statements.set(key, made)
    perDatabase.set(adapter, statements)
    return made
  }

  return async (db: Db, values: Values<Name, List>, shape: Shape): Promise<Row[]> => {
    const { sql, parameters } = statementFor(
      db,
      shape,
      lists.map((name) => evenLength(values[name])),
    )
    const filled = parameters.map((each) => (each instanceof Slot ? valueAt(values, each) : each))
    const { rows } = await db.getExecutor().executeQuery<Row>(CompiledQuery.raw(sql, filled))
    return rows
  }
}

/** One value would be compared, and not looked for in a list. */
const shortest = 2
/** A statement takes no more than twice as many. */
const longest = 16_384

const evenLength = ({ length }: readonly string[]): number =>
  length > longest ? length : Math.max(shortest, 2 ** Math.ceil(Math.log2(length)))

const valueAt = (values: Readonly<Record<string, string | readonly string[]>>, { name, index }: Slot): unknown => {
  const value = values[name]
  return index === undefined ? value : (value?.[index] ?? value?.at(-1))
}

/** A list is one parameter, or one for each of its values. */
const slotted = (parameter: unknown): unknown => {
  const first: unknown = Array.isArray(parameter) ? parameter[0] : parameter
  if (typeof first !== 'string' || !first.startsWith(mark)) return parameter
  const [name = '', index] = first.slice(mark.length).split(beforeIndex)
  return Array.isArray(parameter) ? new Slot(name) : new Slot(name, index)
}
