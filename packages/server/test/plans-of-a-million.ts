import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { CompiledQuery } from 'kysely'
import { Client } from 'pg'

/** The file is made by `npm run bench:plans`. */
interface Relation {
  readonly relation: string
  readonly pages: number
  readonly rows: number
  readonly columns: readonly {
    readonly name: string
    readonly nulls: number
    readonly width: number
    readonly distinct: number
    readonly common: string | null
    readonly shares: readonly number[] | null
    readonly bounds: string | null
    readonly order: number | null
  }[]
}
const million = new URL('statistics/million-postgres.json', import.meta.url)

interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Plan Rows': number
  readonly 'Total Cost': number
  readonly Plans?: readonly Step[]
}

export interface PlanOfMillion {
  readonly sql: string
  readonly cost: number
  /** Steps that read a whole large table, or sort more than pages have rows. */
  readonly slow: readonly string[]
}

const largePages = 500
const sortedRowsMax = 5000

/** It plans these statements as PostgreSQL would for a million books (pins W16), left to itself. */
export const plansOfMillion = async (url: string, statements: readonly CompiledQuery[]): Promise<PlanOfMillion[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const relations = JSON.parse(readFileSync(million, 'utf8')) as readonly Relation[]
    await pretend(client, relations)
    const large = new Set(relations.flatMap(({ relation, pages }) => (pages > largePages ? relation : [])))
    const plans: PlanOfMillion[] = []
    for (const { sql, parameters } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: Step }] }>(`explain (format json) ${sql}`, [
        ...parameters,
      ])
      const plan = rows[0]?.['QUERY PLAN'][0].Plan
      if (plan) plans.push({ sql, cost: plan['Total Cost'], slow: slowIn(plan, large) })
    }
    return plans
  } finally {
    await client.end()
  }
}

/** The planner uses its statistics and the lengths of files: so the files are made long, with nothing in them. */
const pretend = async (client: Client, relations: readonly Relation[]): Promise<void> => {
  const { rows: places } = await client.query<{ name: string; path: string; block: string }>(
    `select relname as name, current_setting('data_directory') || '/' || pg_relation_filepath(oid) as path,
        current_setting('block_size') as block
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
  )
  const placeOf = new Map(places.map((relation) => [relation.name, relation]))
  for (const { relation, pages, rows, columns } of relations) {
    const place = placeOf.get(relation)
    if (!place) throw new Error(`There is no ${relation} any more: npm run bench:plans`)
    await client.query(
      `select pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'relpages', $2::integer, 'relallvisible', $2::integer, 'reltuples', $3::real)`,
      [relation, pages, rows],
    )
    for (const { name, nulls, width, distinct, common, shares, bounds, order } of columns)
      await client.query(
        `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', $2::text,
          'inherited', false, 'null_frac', $3::real, 'avg_width', $4::integer, 'n_distinct', $5::real,
          'most_common_vals', $6::text, 'most_common_freqs', $7::real[], 'histogram_bounds', $8::text, 'correlation', $9::real)`,
        [relation, name, nulls, width, distinct, common, shares, bounds, order],
      )
    await lengthen(place.path, pages * Number(place.block))
  }
}

/** Files of a relation end at a gigabyte, and go on in the next. */
const segmentBytes = 1024 ** 3
const lengthen = async (path: string, bytes: number): Promise<void> => {
  for (let segment = 0; segment * segmentBytes < bytes; segment += 1) {
    await using file = await open(segment === 0 ? path : `${path}.${segment}`, 'a')
    await file.truncate(Math.min(segmentBytes, bytes - segment * segmentBytes))
  }
}

const slowIn = (step: Step, large: ReadonlySet<string>): string[] => {
  const { 'Node Type': kind, 'Relation Name': relation = '', Plans: below = [] } = step
  const isScan = kind === 'Seq Scan' && large.has(relation)
  const sorted = Math.max(0, ...below.map((each) => each['Plan Rows']))
  const isSort = kind === 'Sort' && sorted > sortedRowsMax
  return [
    ...(isScan ? [`${kind} on ${relation}`] : []),
    ...(isSort ? [`${kind} of ${sorted}`] : []),
    ...below.flatMap((each) => slowIn(each, large)),
  ]
}
