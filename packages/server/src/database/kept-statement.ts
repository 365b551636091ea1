import { type Compilable, CompiledQuery } from 'kysely'
import { BoundedMap } from '../platform/memory/bounded-map.ts'
import type { ReadDb } from './db.ts'

type Values<Name extends string> = Readonly<Record<Name, string>>

interface KeptStatement {
  readonly sql: string
  /** A value, or where one of those goes that differ each time. */
  readonly parameters: readonly unknown[]
}

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const shapesMax = 200
/** No text that a database takes begins with it. */
const mark = '\u0000slot '

/**
 * A statement that is asked again and again is made once: making it takes longer than running it. `make` gets stand-ins for
 * the values that differ each time, and `shape` says what else its text depends on.
 */
export const keptStatement = <Row, Name extends string = never, Shape = undefined, Db extends ReadDb = ReadDb>(
  make: (db: Db, slots: Values<Name>, shape: Shape) => Compilable<Row>,
  names: readonly Name[],
) => {
  const perDatabase = new WeakMap<object, BoundedMap<KeptStatement>>()

  const compile = (db: Db, shape: Shape): KeptStatement => {
    const slots = Object.fromEntries(names.map((name) => [name, mark + name])) as Values<Name>
    const { sql, parameters } = make(db, slots, shape).compile()
    return { sql, parameters: parameters.map(slotted) }
  }
  const statementFor = (db: Db, shape: Shape): KeptStatement => {
    const { adapter } = db.getExecutor()
    const kept = perDatabase.get(adapter) ?? new BoundedMap<KeptStatement>(shapesMax)
    const key = shape === undefined ? '' : JSON.stringify(shape)
    const known = kept.get(key)
    if (known) return known
    const made = compile(db, shape)
    kept.set(key, made)
    perDatabase.set(adapter, kept)
    return made
  }

  return async (db: Db, values: Values<Name>, shape: Shape): Promise<Row[]> => {
    const { sql, parameters } = statementFor(db, shape)
    const filled = parameters.map((each) => (each instanceof Slot ? values[each.name as Name] : each))
    const { rows } = await db.getExecutor().executeQuery<Row>(CompiledQuery.raw(sql, filled))
    return rows
  }
}

const slotted = (parameter: unknown): unknown =>
  typeof parameter === 'string' && parameter.startsWith(mark) ? new Slot(parameter.slice(mark.length)) : parameter
