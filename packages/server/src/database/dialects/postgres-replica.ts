import { AsyncLocalStorage } from 'node:async_hooks'
import { callbackify } from 'node:util'
import { type CompiledQuery, type DatabaseConnection, type Driver, type Kysely, type QueryResult, sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { markIn, markQuery, type MarkRow } from '../change-marks.ts'
import type { Moment, Replica, ReplicaState } from '../replica.ts'
import type { Schema } from '../schema.ts'
import { isToldByMarks } from '../whom-it-concerns.ts'
import { driverOver } from './postgres-compiler.ts'
import { hasTakenTooLong, isLost, isQueueFull, isRefusedByPooler } from './postgres-faults.ts'
import { isPooler, progressOfReplica, positionAt, positionOfPrimary } from './replication-progress.ts'
import { UnfitError, watchReplica } from './replica-watch.ts'

type ReplicaUse = 'read' | 'readSlowly' | 'watch'

export interface ReplicaOptions {
  readonly openPool: (use: ReplicaUse, verify: (client: PoolClient, done: (error?: Error) => void) => void) => Pool
  readonly lagMs: number
  /** It asks the database itself, whatever is read. */
  readonly primary: Kysely<Schema>
  readonly onChange: (state: ReplicaState) => void
}

interface Scope extends Moment {
  /** From now on what is read must be newer than the moment. */
  isOver: boolean
}

interface PostgresReplica extends Replica {
  /** A driver that asks the replica what may be asked there; `pool` leads to the database itself. */
  route(use: 'read' | 'readSlowly', usual: Driver, pool: Pool): Driver
  /** Somebody looks at a mark. */
  noteMark(moment: Moment): void
  /** Somebody has written, or looks at what is kept by something else than marks. */
  leaveMoment(): void
  close(): Promise<void>
}

/** So many readers' marks are known of each connection. */
const marksMax = 1000

/** The connections to the replica, and whether they can be used. */
const connectTo = ({ openPool, lagMs, primary, onChange }: ReplicaOptions) => {
  /** Somebody waits for what was asked by these. */
  const busy = new Set<PoolClient>()

  const connecting = (use: ReplicaUse): Pool => {
    const pool = openPool(use, (client, done) =>
      callbackify(() => verify(client, use))((error) => done(error ?? undefined)),
    )
    pool.on('acquire', (client) => busy.add(client))
    pool.on('release', (_, client) => busy.delete(client))
    return pool
  }
  const waitNoLonger = (): void => {
    for (const client of busy) void client.end().catch(() => undefined)
  }
  const verify = async (client: PoolClient, use: ReplicaUse): Promise<void> => {
    const { version } = await progressOfReplica(client)
    // The watch tells it apart from one that is away.
    if (use !== 'watch' && version < (watch.version() ?? 0)) throw new Error('The replica has an older schema')
  }

  const watching = connecting('watch')
  const watch = watchReplica({
    lagMs,
    askPrimary: async () => ({
      version: await versionAt(primary),
      position: await positionAt(() => primaryPosition.execute(primary)),
    }),
    askReplica: async () => {
      const client = await watching.connect().catch((error: unknown) => {
        throw isRefusedByPooler(error) ? new UnfitError(isPooler) : error
      })
      try {
        const progress = await progressOfReplica(client)
        client.release()
        return progress
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    onChange: (state) => {
      // What is being waited for there is asked of the database itself.
      if (state.status === 'away') waitNoLonger()
      onChange(state)
    },
  })

  return {
    ...watch,
    connecting,
    close: () => {
      const closed = watch.close()
      waitNoLonger()
      return closed
    },
  }
}

/** It asks the replica as of a moment. */
const asking = (noteAway: (error: unknown) => void) => {
  const shown = new WeakMap<DatabaseConnection, BoundedMap<string>>()

  /** Undefined: it could not be asked of the replica. */
  const askReplica = async <Row>(
    there: Driver,
    moment: Moment,
    query: CompiledQuery,
  ): Promise<QueryResult<Row> | undefined> => {
    let isAsked = false
    try {
      const connection = await there.acquireConnection()
      try {
        if (!(await shows(connection, moment))) return undefined
        isAsked = true
        return await connection.executeQuery<Row>(query)
      } finally {
        await there.releaseConnection(connection)
      }
    } catch (error) {
      // It would take the database itself as long.
      if (isAsked && hasTakenTooLong(error)) throw error
      if (isLost(error) && !isQueueFull(error)) noteAway(error)
      return undefined
    }
  }

  const shows = async (connection: DatabaseConnection, { reader, mark }: Moment): Promise<boolean> => {
    const marks = shown.get(connection) ?? new BoundedMap<string>(marksMax)
    shown.set(connection, marks)
    if (marks.get(reader) === mark) return true
    const { rows } = await connection.executeQuery<MarkRow>(markQuery(reader))
    const now = markIn(rows)
    marks.set(reader, now)
    return now === mark
  }

  return askReplica
}

/**
 * A statement is asked of the replica if the marks tell of all that it reads, and the replica shows the same marks as the database
 * itself did. One connection leads to one server, and that only moves forward: what it has shown once it still has.
 */
export const openReplica = (options: ReplicaOptions): PostgresReplica => {
  const scopes = new AsyncLocalStorage<Scope>()
  const counts = { answered: 0, leftToPrimary: 0 }
  const watch = connectTo(options)
  const ask = asking(watch.noteAway)

  return {
    readAsOf: (moment, work) => {
      scopes.exit(watch.begin)
      return scopes.run({ ...moment, isOver: false }, work)
    },
    figures: () => {
      scopes.exit(watch.begin)
      return { ...watch.state(), ...counts }
    },
    noteMark: ({ reader, mark }) => {
      const scope = scopes.getStore()
      if (scope && (scope.reader !== reader || scope.mark !== mark)) scope.isOver = true
    },
    leaveMoment: () => {
      const scope = scopes.getStore()
      if (scope) scope.isOver = true
    },
    route: (use, usual, pool) =>
      routed({
        usual,
        here: driverOver(pool),
        there: driverOver(watch.connecting(use)),
        scopeNow: () => {
          const scope = scopes.getStore()
          return scope?.isOver ? undefined : scope
        },
        ask: async (there, scope, query) => {
          if (!isToldByMarks(scope.reader, query)) return undefined
          const result = watch.state().status === 'follows' ? await ask(there, scope, query) : undefined
          counts[result ? 'answered' : 'leftToPrimary'] += 1
          return result as QueryResult<never> | undefined
        },
      }),
    close: watch.close,
  }
}

interface Routed {
  readonly usual: Driver
  readonly here: Driver
  readonly there: Driver
  readonly scopeNow: () => Scope | undefined
  readonly ask: (there: Driver, scope: Scope, query: CompiledQuery) => Promise<QueryResult<never> | undefined>
}

/** Which server is asked is decided with each statement, so that nobody holds a connection to one and waits for the other. */
const routed = ({ usual, here, there, scopeNow, ask }: Routed): Driver => {
  const own = new WeakSet<DatabaseConnection>()

  const connectionFor = (scope: Scope): DatabaseConnection => {
    const connection: DatabaseConnection = {
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        const result = scope.isOver ? undefined : await ask(there, scope, query)
        if (result) return result
        const connection = await here.acquireConnection()
        try {
          return await connection.executeQuery<Row>(query)
        } finally {
          await here.releaseConnection(connection)
        }
      },
      streamQuery: () => {
        throw new Error('Nothing is streamed from PostgreSQL')
      },
    }
    own.add(connection)
    return connection
  }

  return {
    init: async (options) => {
      for (const driver of [usual, here, there]) await driver.init(options)
    },
    acquireConnection: async (options) => {
      const scope = scopeNow()
      return scope ? connectionFor(scope) : usual.acquireConnection(options)
    },
    releaseConnection: async (connection, options) => {
      if (!own.has(connection)) await usual.releaseConnection(connection, options)
    },
    // What reads has no transactions.
    beginTransaction: (connection, settings) => usual.beginTransaction(connection, settings),
    commitTransaction: (connection) => usual.commitTransaction(connection),
    rollbackTransaction: (connection) => usual.rollbackTransaction(connection),
    destroy: (options) => usual.destroy(options),
  }
}

const versionAt = async (db: Kysely<Schema>): Promise<number> => {
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db)
  return rows[0]?.version ?? 0
}

const primaryPosition = sql<{ position: number }>`${sql.raw(positionOfPrimary)}`
