import { type Driver, Kysely, type LogEvent, sql } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { AppError, goneMeanwhile } from '../../platform/errors.ts'
import { markIn, markQuery } from '../change-marks.ts'
import type { Database } from '../database.ts'
import type { Degraded } from '../degraded.ts'
import { oncePerTurn } from '../once-per-turn.ts'
import { selectRevisions } from '../revisions.ts'
import type { ReplicaAddress, ReplicaState } from '../replica.ts'
import type { Schema } from '../schema.ts'
import { watchRevisions } from '../watch-revisions.ts'
import { writer } from '../write.ts'
import { isOutdatedPlan, nameStatements } from './named-statements.ts'
import { askAgainWhenCut } from './postgres-again.ts'
import { ArrayDialect } from './postgres-compiler.ts'
import { doWithFewer } from './postgres-connections.ts'
import {
  codeOf,
  hasTakenTooLong,
  isLost,
  isOfUnknownAuthority,
  isRefusedAsFull,
  isRefusedByPooler,
  isTurnedAway,
  lacksMeans,
} from './postgres-faults.ts'
import { requireFit, selectTablesOfOurNames } from './postgres-first-look.ts'
import { openReplica, type ReplicaOptions } from './postgres-replica.ts'
import { postgresWakeUps } from './postgres-wake-ups.ts'
import type { Dialect, Turns } from './dialect.ts'
import { postgresMany } from './postgres-many.ts'
import { readPostgresNumbers } from './postgres-numbers.ts'
import { postgresTextIndex } from './postgres-text-index.ts'
import { createBucketTable, postgresBuckets } from './postgres-buckets.ts'
import { planOnPostgres } from './postgres-plans.ts'
import { leaveReadOnly, requirePrimary, requirePrimaryBehindPooler, takesNoChanges } from './postgres-primary.ts'
import { ClientWithSocket, closeSilent } from './postgres-silence.ts'
import { postgresWordIndex } from './postgres-word-index.ts'

export interface PostgresOptions {
  readonly url: string
  /** A pooler before it, which hands connections out for one transaction at a time. */
  readonly poolerUrl?: string | undefined
  /** Servers that follow it. */
  readonly replica?: ReplicaAddress | undefined
  readonly degraded: Degraded
  readonly log: (event: LogEvent) => void
  /** A connection that nobody was using has failed. The pool has replaced it already. */
  readonly onIdleError: (error: Error) => void
  /** Nothing on the other side of a pooler ends a read that takes too long. */
  readonly onUnlimited: () => void
  /** The replica can be asked from now on, or not any more. */
  readonly onReplica?: (state: ReplicaState) => void
}

/**
 * The limits say how long a statement of each pool may take, how many may run at once, and how long a caller waits for a
 * connection: for the database to answer, or for the callers before it.
 */
const pools = {
  read: { statementMs: 5000, waitMs: 3000, connectionsMax: 10, idleMs: 10_000, isNamed: true },
  // A slow statement is planned with its actual parameters.
  readSlowly: { statementMs: 30_000, waitMs: 3000, connectionsMax: 4, idleMs: 10_000, isNamed: false },
  // Many writes at once wait for each other: a queue of them does not mean that the database is away.
  write: { statementMs: 15_000, waitMs: 15_000, connectionsMax: 10, idleMs: 10_000, isNamed: true },
  // These connections stay open: a draw has no time to connect.
  buckets: { statementMs: 1000, waitMs: 3000, connectionsMax: 4, idleMs: 0, isNamed: false },
  watch: { statementMs: 2000, waitMs: 3000, connectionsMax: 1, idleMs: 0, isNamed: false },
} as const
/** Whoever cannot be connected to the replica sooner is answered by the database itself. */
const replicaWaitMs = 1000
const revisionsStaleMs = 500
readPostgresNumbers()

/**
 * Pools apart, so that a burst of reads leaves room for writes, and statistics hold up neither. Buckets wait for nobody:
 * every request passes them.
 */
export const openPostgres = async ({
  url,
  poolerUrl,
  replica: named,
  log,
  onIdleError,
  onUnlimited,
  onReplica = () => undefined,
  degraded,
}: PostgresOptions): Promise<Database> => {
  const isPooled = poolerUrl !== undefined
  const own = poolsAt({ url: poolerUrl ?? url, isPooled, onIdleError })
  const { open, newest, replica, readers, endAll } = handlesOver(own, { isPooled, named, log, onReplica })
  const watched = watchRevisions({
    select: () => askAgainWhenCut(() => selectRevisions(newest)).catch(rethrowExplained),
    staleMs: revisionsStaleMs,
  })
  try {
    await requireFit(newest)
    if (isPooled && !(await endsLongStatements(newest))) onUnlimited()
  } catch (error) {
    await endAll()
    throw explainedAtStart(error)
  }

  const wakeUps = postgresWakeUps({
    url,
    onRevisions: watched.forget,
    notify: (channel, payload) => sql`select pg_notify(${channel}, ${payload})`.execute(newest),
  })

  const marked = marksPerTurn((reader) => askAgainWhenCut(() => selectMark(newest, reader)).catch(rethrowExplained))
  const onEnd = (isSure: boolean): void => {
    replica?.leaveMoment()
    if (!isSure) watched.forget()
    marked.forget()
  }

  return {
    dialect: postgresDialect,
    ...readers,
    ...writer(open('write'), { dialect: postgresDialect, onEnd, wake: wakeUps.send }),
    revisions: () => {
      replica?.leaveMoment()
      return watched.read()
    },
    changeMark: replica
      ? async (reader) => {
          const mark = await marked.read(reader)
          replica.noteMark({ reader, mark })
          return mark
        }
      : marked.read,
    ...(replica && { replica }),
    commitsSeen: () => undefined,
    planOf: ({ sql }) => planOnPostgres(url, sql),
    wakeUps,
    degraded,
    buckets: postgresBuckets(own.openPool('buckets'), { isPooled }),
    close: () => wakeUps.close().then(endAll),
  }
}

interface HandleOptions extends Pick<PostgresOptions, 'log'> {
  readonly isPooled: boolean
  readonly named: ReplicaAddress | undefined
  readonly onReplica: NonNullable<PostgresOptions['onReplica']>
}

/** What reads, some of it from the replica where one is named. */
const handlesOver = (own: ReturnType<typeof poolsAt>, { isPooled, named, log, onReplica }: HandleOptions) => {
  const { openPool } = own
  const open = (use: keyof typeof pools, pool = openPool(use), route?: (usual: Driver) => Driver) => {
    const limits = isPooled ? { transactionMs: pools[use].statementMs } : undefined
    return new Kysely<Schema>({ dialect: new ArrayDialect({ pool }, { limits, route }), log })
  }
  const readPool = openPool('read')
  /** What must be the newest is read by it: who may do what, and the marks. */
  const newest = open('read', readPool)
  const replica = named && replicaAt(named, { primary: newest, onChange: onReplica })
  const endAll = async (): Promise<void> => {
    await replica?.close()
    await own.endAll()
  }
  const openRouted = (use: 'read' | 'readSlowly', pool: Pool) =>
    replica ? open(use, pool, (usual) => replica.route(use, usual, pool)) : open(use, pool)
  const readers = {
    read: replica ? openRouted('read', readPool) : newest,
    readSlowly: openRouted('readSlowly', openPool('readSlowly')),
  }
  return { open, newest, replica, readers, endAll }
}

const replicaAt = ({ url, lagMs }: ReplicaAddress, others: Pick<ReplicaOptions, 'primary' | 'onChange'>) => {
  // Whether the replica is there is looked at, and told, by what watches it.
  const { openPool, endAll } = poolsAt({ url, isPooled: false, onIdleError: () => undefined })
  const replica = openReplica({
    ...others,
    lagMs,
    openPool: (use, verify) => openPool(use, { verify, waitMs: replicaWaitMs }),
  })
  return { ...replica, close: () => replica.close().then(endAll) }
}

interface PoolsOptions extends Pick<PostgresOptions, 'onIdleError'> {
  readonly url: string
  readonly isPooled: boolean
}

interface PoolOptions {
  readonly verify?: NonNullable<PoolConfig['verify']>
  readonly waitMs?: number
}

const poolsAt = ({ url, isPooled, onIdleError }: PoolsOptions) => {
  const opened: Pool[] = []
  const closeSilentOf = closeSilent(url)
  return {
    openPool: (use: keyof typeof pools, options: PoolOptions = {}): Pool => {
      const { verify = isPooled ? requirePrimaryBehindPooler : requirePrimary } = options
      const { statementMs, connectionsMax, idleMs, isNamed } = pools[use]
      const { waitMs = pools[use].waitMs } = options
      const pool = new Pool({
        connectionString: url,
        Client: ClientWithSocket,
        max: connectionsMax,
        connectionTimeoutMillis: waitMs,
        idleTimeoutMillis: idleMs,
        // Who has none may get none, where others have all that there are.
        min: 1,
        // A pooler refuses what is set for a connection: it hands the connection on.
        ...(!isPooled && { statement_timeout: statementMs, idle_in_transaction_session_timeout: statementMs }),
        query_timeout: statementMs + 1000,
        keepAlive: true,
        // Connections of a pooler stay when we have gone, and tell a restore nothing.
        application_name: isPooled ? 'carrel pooled' : 'carrel',
        verify,
      })
      // Without a listener the end of an idle connection would end the process.
      pool.on('error', onIdleError)
      // The end of a connection in use, between two statements, would end the process too. Its next statement fails.
      pool.on('connect', (client) => client.on('error', () => undefined))
      closeSilentOf(pool)
      leaveReadOnly(pool)
      doWithFewer(pool, { waitMs })
      // What is prepared on one connection of a pooler is not there on the next.
      if (isNamed && !isPooled) nameStatements(pool)
      opened.push(pool)
      return pool
    },
    endAll: async (): Promise<void> => {
      await Promise.all(opened.map((pool) => pool.end()))
    },
  }
}

const poolerAsDatabase =
  'CARREL_DATABASE_URL leads to a pooler: name PostgreSQL itself there, and the pooler in CARREL_DATABASE_POOLER_URL'

const noConnectionLeft =
  'PostgreSQL takes no more connections: raise its max_connections, or name a pooler in CARREL_DATABASE_POOLER_URL'

const howToNameAuthority =
  'Name its authority with sslrootcert=/path/ca.pem in the address. With sslmode=no-verify it is encrypted, and nobody checks who answers.'

const explainedAtStart = (error: unknown): unknown => {
  if (isOfUnknownAuthority(error)) return new Error(`${reasonOf(error)}. ${howToNameAuthority}`)
  if (isRefusedByPooler(error)) return new Error(poolerAsDatabase)
  if (isRefusedAsFull(error)) return new Error(noConnectionLeft)
  // Whoever sets it up is helped by what PostgreSQL says.
  return isTurnedAway(error) ? error : postgresDialect.explain(error)
}

/** Without the advice that Node gives to who starts it by hand. */
const reasonOf = (error: unknown): string => (error instanceof Error ? (error.message.split(';')[0] ?? '') : '')

/** The role's own limit stands in for those of the pools. */
const endsLongStatements = async (db: Kysely<Schema>): Promise<boolean> => {
  const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as "limit"`.execute(db)
  return rows[0]?.limit !== '0'
}

const selectMark = async (db: Kysely<Schema>, reader: string): Promise<string> => {
  const { rows } = await db.executeQuery(markQuery(reader))
  return markIn(rows)
}

/** Requests of one reader that arrive in one turn share a statement. */
const marksPerTurn = (select: (reader: string) => Promise<string>) => {
  const turn = oncePerTurn(() => new Map<string, Promise<string>>())
  return {
    forget: turn.forget,
    read: (reader: string): Promise<string> => {
      const marks = turn.read()
      const mark = marks.get(reader) ?? select(reader)
      marks.set(reader, mark)
      return mark
    },
  }
}

const rethrowExplained = (error: unknown): never => {
  throw postgresDialect.explain(error)
}

/**
 * A row that is always there, and that nobody deletes. Locks on rows are known to every database of this family, and this
 * kind does not keep the row from being changed.
 */
const turnRow = sql`select name from revision where name = 'settings'`

const postgresTurns: Turns = {
  inCompany: async (db) => {
    await sql`${turnRow} for key share`.execute(db)
  },
  alone: async (db) => {
    const { rows } = await sql`${turnRow} for update skip locked`.execute(db)
    return rows.length === 1
  },
}

const serializationFailures = ['40001', '40P01']
const outOfSpace = '53100'
const refersToNothing = '23503'

const unavailable = (message: string, cause: unknown): AppError =>
  new AppError('unavailable', message, { retryAfterSeconds: 2, cause })

const postgresDialect: Dialect = {
  name: 'postgres',
  hasSeveralNodes: true,
  text: sql`text collate "C"`,
  integer: sql`bigint`,
  real: sql`double precision`,
  bytes: sql`bytea`,
  tableEnd: sql``,
  keyTableEnd: sql``,
  indexesAnyText: false,
  numbersAtOnce: false,
  skipLocked: sql`for update skip locked`,
  unchangedRows: sql`for share`,
  lockedRows: (table) => sql`for update of ${sql.id(table)}`,
  lockRow: async (db, table, id) => {
    await sql`select 1 from ${sql.id(table)} where id = ${id} for no key update`.execute(db)
  },
  many: postgresMany,
  turns: postgresTurns,
  textIndex: postgresTextIndex,
  wordIndex: postgresWordIndex,
  createOwnTables: createBucketTable,
  tableExists: async (db, name) => {
    const { rows } = await sql`
      select 1 from information_schema.tables where table_schema = current_schema() and table_name = ${name}`.execute(
      db,
    )
    return rows.length > 0
  },
  foreignTable: async (db) => (await selectTablesOfOurNames(db))[0],
  size: async (db) => {
    const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  isDuplicate: (error) => codeOf(error) === '23505',
  shouldTryAgain: (error) => serializationFailures.includes(codeOf(error)) || isOutdatedPlan(error),
  explain: (error) => {
    const code = codeOf(error)
    if (code === outOfSpace) {
      return new AppError(
        'disk_full',
        'The disk of the database is full. Reading goes on; free some space to change things again.',
        { cause: error },
      )
    }
    if (code === refersToNothing) return goneMeanwhile(error)
    if (isRefusedAsFull(error))
      return unavailable('The database takes no more connections. Try again in a moment.', error)
    if (hasTakenTooLong(error)) return unavailable('The database takes too long for now. Try again in a moment.', error)
    if (code === takesNoChanges)
      return unavailable('The database takes no changes for now. Try again in a moment.', error)
    if (serializationFailures.includes(code) || isLost(error) || isTurnedAway(error) || lacksMeans(error))
      return unavailable('The database does not answer for now. Try again in a moment.', error)
    return error
  },
}
