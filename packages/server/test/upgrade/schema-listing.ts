import Sqlite from 'better-sqlite3'
import { Client } from 'pg'

/** What a database of PostgreSQL is made of, a line each: columns, constraints, indexes, triggers, functions. */
export const listPostgresSchema = async (url: string): Promise<readonly string[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ line: string }>(listing)
    return rows.map(({ line }) => line)
  } finally {
    await client.end()
  }
}

const listing = `
  with relation as (
    select oid, relname, relkind from pg_class where relnamespace = current_schema()::regnamespace
  )
  select line from (
    select format('column %s.%s %s%s default %s collate %s', relname, attname, format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' else '' end, coalesce(pg_get_expr(adbin, adrelid), '-'), coalesce(collname, '-')) as line
    from pg_attribute join relation on relation.oid = attrelid and relkind = 'r'
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join pg_collation on pg_collation.oid = attcollation
    where attnum > 0 and not attisdropped
    union all
    select format('constraint %s.%s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join relation on relation.oid = conrelid where contype <> 'n'
    union all
    select 'index ' || pg_get_indexdef(indexrelid) from pg_index join relation on relation.oid = indrelid
    union all
    select 'trigger ' || pg_get_triggerdef(pg_trigger.oid) from pg_trigger join relation on relation.oid = tgrelid
    where not tgisinternal
    union all
    select format('function %s %s', proname, md5(prosrc)) from pg_proc
    where pronamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e')
  ) lines order by line collate "C"`

/** A column, or something that rows of its table have to fulfil. */
interface TableMade {
  readonly columns: ReadonlyMap<string, string>
  readonly demands: readonly string[]
}

type Row = Readonly<Record<string, string | number | null>>

/** The same of a file of SQLite, for each of its tables. */
export const tablesOf = (file: string): ReadonlyMap<string, TableMade> => {
  const database = new Sqlite(file, { readonly: true })
  const ask = (statement: string, ...values: readonly string[]): readonly Row[] =>
    database.prepare<string[], Row>(statement).all(...values)
  const tables = ask("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
  const made = tables.map(({ name }) => {
    const columns = ask('select * from pragma_table_info(?)', String(name)).map((each): [string, string] => [
      String(each['name']),
      `${each['type']}${each['notnull'] === 1 && each['dflt_value'] === null ? ' required' : ''}`,
    ])
    const unique = ask('select name from pragma_index_list(?) where "unique" = 1', String(name))
    const keys = ask('select "from", "table" from pragma_foreign_key_list(?)', String(name))
    const triggers = ask("select name from sqlite_schema where type = 'trigger' and tbl_name = ?", String(name))
    const demands = [
      ...unique.map((each) => `unique ${each['name']}`),
      ...keys.map((each) => `foreign key ${each['from']} ${each['table']}`),
      ...triggers.map((each) => `trigger ${each['name']}`),
    ]
    return [String(name), { columns: new Map(columns), demands }] as const
  })
  database.close()
  return new Map(made)
}

/**
 * A node of the version before goes on while a newer one is there already. It needs what it knows, writes rows without what it
 * does not know, and its rows must be let in.
 */
export const whatOlderNodesWouldMiss = (
  before: ReadonlyMap<string, TableMade>,
  after: ReadonlyMap<string, TableMade>,
): readonly string[] =>
  [...before].flatMap(([name, old]) => {
    const now = after.get(name)
    if (!now) return [`${name} is gone`]
    const changed = [...old.columns].flatMap(([column, type]) => {
      const present = now.columns.get(column)
      if (present === undefined) return [`${name}.${column} is gone`]
      return present === type ? [] : [`${name}.${column} is ${present} instead of ${type}`]
    })
    const required = [...now.columns].flatMap(([column, type]) =>
      !old.columns.has(column) && type.endsWith(' required') ? [`${name}.${column} is required`] : [],
    )
    const demands = now.demands.filter((each) => !old.demands.includes(each)).map((each) => `${name} has a new ${each}`)
    return [...changed, ...required, ...demands]
  })
