import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryResult } from 'kysely'
import type { Schema } from './schema.ts'

type Concern =
  /** Only the reader whose row it is sees anything of it in what processes keep. */
  | 'reader'
  /** Nothing that processes keep shows anything of it. */
  | 'nobody'

/** Tables that are not named here concern everybody. */
const concerns: { readonly [Table in keyof Schema]?: Concern } = {
  reading_log: 'reader',
  reading_head: 'reader',
  reading_snapshot: 'reader',
  read_progress: 'reader',
  read_completion: 'reader',
  removed_completion: 'reader',
  stated_completion: 'reader',
  reading_session: 'reader',
  reading_figure: 'reader',
  figure_zone: 'reader',
  series_progress: 'reader',
  device: 'reader',
  series_rating: 'reader',
  book_rating: 'reader',
  want_to_read: 'reader',
  series_status: 'reader',
  series_follow: 'reader',
  user_preference: 'reader',
  user: 'reader',
  notification: 'nobody',
  bookmark: 'nobody',
  annotation: 'nobody',
  client_setting: 'nobody',
  reader_setting: 'nobody',
  session: 'nobody',
  refresh_token: 'nobody',
  sign_in_failure: 'nobody',
  known_network: 'nobody',
  sign_in_activity: 'nobody',
  oidc_sign_in: 'nobody',
  api_key: 'nobody',
  setting_change: 'nobody',
  connection: 'nobody',
  webhook: 'nobody',
  feed_key: 'nobody',
  // Whoever raises one has written to what it stands for as well.
  revision: 'nobody',
  change_mark: 'nobody',
  event: 'nobody',
  event_sequence: 'nobody',
  task: 'nobody',
  worker: 'nobody',
  schedule: 'nobody',
  task_figure: 'nobody',
  task_duration: 'nobody',
  task_last_error: 'nobody',
  task_total: 'nobody',
  reading_repair: 'nobody',
  plugin_failure: 'nobody',
  plugin_line: 'nobody',
  plugin_metric: 'nobody',
  plugin_call: 'nobody',
  koreader_document: 'nobody',
  koreader_page_time: 'nobody',
  koreader_file: 'nobody',
  koreader_intake: 'nobody',
}

/** Undefined: everybody. */
export const concernOf = (table: string): Concern | undefined =>
  Object.hasOwn(concerns, table) ? concerns[table as keyof Schema] : undefined

/** Whom a transaction concerns. */
export interface Concerned {
  readonly readers: Set<string>
  everybody: boolean
  /** What is being written is theirs alone. */
  owner: string | undefined
}

export const nobodyYet = (): Concerned => ({ readers: new Set(), everybody: false, owner: undefined })

const inTransaction = new AsyncLocalStorage<Concerned>()

/** What is written in `work` is noted in `concerned`. */
export const noteConcerned = <Result>(concerned: Concerned, work: () => Promise<Result>): Promise<Result> =>
  inTransaction.run(concerned, work)

/**
 * What is written in `work` belongs to one reader, so that what processes keep for others still holds. Statements on tables of
 * readers must have the reader among their parameters; others concern everybody.
 */
export const forReader = async <Result>(reader: string, work: () => Promise<Result>): Promise<Result> => {
  const concerned = inTransaction.getStore()
  if (!concerned) return work()
  const { owner } = concerned
  concerned.owner = reader
  try {
    return await work()
  } finally {
    concerned.owner = owner
  }
}

/** A step of the schema: nobody keeps anything of a database before it is at the version that is served. */
export const beforeAnybodyKeeps = async <Result>(work: () => Promise<Result>): Promise<Result> =>
  inTransaction.run(nobodyYet(), work)

interface Written {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly result: Pick<QueryResult<unknown>, 'rows' | 'numAffectedRows'>
}

/** Connections call it after each statement. Whatever it cannot tell for sure concerns everybody. */
export const noteWritten = ({ sql, parameters, result }: Written): void => {
  const concerned = inTransaction.getStore()
  if (!concerned || concerned.everybody) return
  const tables = tablesWrittenBy(sql)
  if (tables.length === 0 || hasChangedNothing(sql, result)) return
  for (const table of tables) {
    const concern = concernOf(table)
    if (concern === 'nobody') continue
    const { owner } = concerned
    if (concern === 'reader' && owner !== undefined && isNamed(owner, parameters)) concerned.readers.add(owner)
    else concerned.everybody = true
  }
}

/**
 * Whether the marks of everybody and of this reader change with all that the statement reads. A name of a table that is something else
 * in this statement does no harm: it is asked of the database itself.
 */
export const isToldByMarks = (reader: string, { sql, parameters }: Pick<Written, 'sql' | 'parameters'>): boolean => {
  const concerns = concernsIn(sql)
  if (concerns.has('nobody')) return false
  return !concerns.has('reader') || (reader !== '' && isNamed(reader, parameters))
}

/** Many rows are sent as one text, or as a list. */
const isNamed = (reader: string, parameters: readonly unknown[]): boolean =>
  parameters.some((each) => (typeof each === 'string' ? each.includes(reader) : isListWith(reader, each)))

const isListWith = (reader: string, value: unknown): boolean => Array.isArray(value) && value.includes(reader)

/** A statement with others in it, as after `with`, tells only of its last. */
const hasChangedNothing = (sql: string, { rows, numAffectedRows }: Written['result']): boolean => {
  if (!plain.test(sql)) return false
  // One that returns its rows has returned none.
  return numAffectedRows === undefined ? rows.length === 0 : numAffectedRows === 0n
}

const plain = /^\s*(?:insert|update|delete)\b/i

const textsMax = 1000
const tablesBySql = new Map<string, readonly string[]>()

/** The tables that a statement writes to. One that is neither read nor understood is taken to write to one nobody knows. */
const tablesWrittenBy = (sql: string): readonly string[] => {
  const tables = tablesBySql.get(sql)
  if (tables) return tables
  if (tablesBySql.size >= textsMax) tablesBySql.clear()
  const named = tablesIn(sql)
  tablesBySql.set(sql, named)
  return named
}

const knownConcerns = new Map<string, ReadonlySet<Concern>>()

const concernsIn = (sql: string): ReadonlySet<Concern> => {
  const concerns = knownConcerns.get(sql)
  if (concerns) return concerns
  if (knownConcerns.size >= textsMax) knownConcerns.clear()
  const mentioned = new Set((sql.match(/\w+/g) ?? []).flatMap((word) => concernOf(word) ?? []))
  knownConcerns.set(sql, mentioned)
  return mentioned
}

const target =
  /(?<!\b(?:for|for no key|do)\s+)\b(?:into|update(?:\s+or\s+\w+)?|delete\s+from)\s+(?:only\s+)?"?(\w+)"?/gi
const readsOnly = /^\s*(?:select|with|explain|savepoint|release|rollback|begin|commit|start|set|pragma|lock)\b/i

/** A row that is set to its own id is only locked. */
const locks = /^update "\w+" set "id" = "id" /

const tablesIn = (sql: string): readonly string[] => {
  if (locks.test(sql)) return []
  const tables = [...sql.matchAll(target)].flatMap(([, table]) => table ?? [])
  return tables.length > 0 || readsOnly.test(sql) ? [...new Set(tables)] : ['']
}
