import type { AddressInfo } from 'node:net'
import { configFromEnvironment } from '../../packages/server/src/config.ts'
import { buildApp } from '../../packages/server/src/app.ts'
import { clock, contextOf, openInstallation, sharedWakeUps } from '../../packages/server/src/commands/installation.ts'
import { joinParent, superviseWorker } from '../../packages/server/src/commands/worker-process.ts'
import type { WriteDb } from '../../packages/server/src/database/database.ts'
import { announce } from '../../packages/server/src/events/outbox.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { passwordHashing } from '../../packages/server/src/platform/secrets/password-hash.ts'
import { cancelTask, enqueue } from '../../packages/server/src/tasks/queue.ts'
import { lookForWaitingWork } from '../../packages/server/src/waiting-work.ts'
import { startWork, type Work } from '../../packages/server/src/work.ts'
import { createKey } from '../../packages/server/src/features/api-keys/api-keys.ts'
import { createUser } from '../../packages/server/src/features/users/users.ts'
import type { NewUser } from '../../packages/api/src/index.ts'
import { answerParent } from './asking.ts'
import { monotonicMs } from './monotonic.ts'
import { type BenchTask, benchTasks, mixedEvent } from './tasks.ts'

// A server, a worker, or both, made of the product's own parts, with the tasks of the bench.
const config = configFromEnvironment()
const log = createLog({ level: 'warn', format: 'json' })
const installation = await openInstallation(config, log)
const context = await contextOf(installation)
const { db } = context
let work: Work | undefined

const end = (): void => process.exit()
const startWorking = (): void => {
  work = startWork(context, { definitions: Object.values(benchTasks), onStuck: end })
}

const insert = (db: WriteDb, task: BenchTask, now: Date) => enqueue(db, benchTasks[task], { name: '' }, { now })

const profiles = {
  admin: { role: 'admin' },
  reader: { role: 'reader' },
  child: { role: 'reader', access: { ageCeiling: 12, includeUnrated: false } },
} as const satisfies Record<string, Partial<NewUser>>
const password = 'seven-lanterns-on-a-slow-river'
const cheap = passwordHashing({ memoryKib: 64, passes: 1 })

const makeViewer = async (profile: keyof typeof profiles, index: number): Promise<string> => {
  const context = { db, passwords: cheap, clock, actor: 'operator' } as const
  const input = { username: `${profile}-${index}-${process.pid}`, password, ...profiles[profile] }
  const { id, username, role } = await createUser(context, input)
  const caller = {
    userId: id,
    username,
    role,
    permissions: new Set<never>(),
    language: null,
    downloadMetadata: 'original',
    by: { kind: 'password' },
  } as const
  return (await createKey(db, caller, { name: 'bench' }, clock())).key
}

const countTasks = async (status: 'pending' | 'completed', attempts: number): Promise<number> => {
  const { count } = await db.readSlowly
    .selectFrom('task')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', status)
    .where('attempts', '=', attempts)
    .executeTakeFirstOrThrow()
  return count
}

const answers = {
  listen: async () => {
    const app = await buildApp(context)
    await app.listen({ host: '127.0.0.1', port: 0 })
    return (app.server.address() as AddressInfo).port
  },
  superviseWorker: () => {
    const worker = superviseWorker({
      db,
      log,
      wakeUps: sharedWakeUps(installation),
      isWorkWaiting: lookForWaitingWork(context),
    })
    process.once('exit', () => void worker.stop())
  },
  startWork: startWorking,
  stopWork: async () => {
    await work?.stop()
  },
  /** It returns how long it took. */
  enqueue: async ({ task, count, each }: { task: BenchTask; count: number; each: number }) => {
    const startedAt = performance.now()
    for (let done = 0; done < count; done += each) {
      await db.write(async (db) => {
        for (let index = 0; index < each; index += 1) await insert(db, task, clock())
      })
    }
    return performance.now() - startedAt
  },
  enqueueStamped: async () => {
    const requestedAt = monotonicMs()
    const { taskId } = await db.write((db) => insert(db, 'stamped', clock()))
    return { taskId, requestedAt, committedAt: monotonicMs() }
  },
  /** When each began to run. */
  readStamps: async ({ taskIds }: { taskIds: readonly string[] }) =>
    Promise.all(
      taskIds.map(async (id) => {
        const task = await db.read.selectFrom('task').select('result').where('id', '=', id).executeTakeFirstOrThrow()
        return Number(task.result)
      }),
    ),
  anyLive: async () => {
    const live = db.read.selectFrom('task').select('id').where('status', 'in', ['pending', 'processing']).limit(1)
    return (await live.executeTakeFirst()) !== undefined
  },
  countWaiting: () => countTasks('pending', 0),
  /** A task should complete at the first try. */
  countCompleted: () => countTasks('completed', 1),
  clear: async () => {
    await db.write((db) => db.deleteFrom('task').where('status', '=', 'completed').execute())
  },
  stopWriting: async () => {
    const running = db.read.selectFrom('task').select('id').where('type', '=', benchTasks.writing.type)
    for (const { id } of await running.where('status', '=', 'processing').execute())
      await db.write((db) => cancelTask(db, id, clock()))
  },
  makeViewers: async ({ each }: { each: number }) => {
    const keys: Record<keyof typeof profiles, string[]> = { admin: [], reader: [], child: [] }
    for (const profile of Object.keys(keys) as (keyof typeof profiles)[])
      for (let index = 0; index < each; index += 1) keys[profile].push(await makeViewer(profile, index))
    return keys
  },
  /** It returns the time just before the last of them was committed. */
  announce: async ({ batches, each }: { batches: number; each: number }) => {
    let committingAt = 0
    for (let batch = 0; batch < batches; batch += 1) {
      await db.write(async (db) => {
        const events = Array.from({ length: each }, (_, index) => mixedEvent(index))
        await announce(db, events, clock())
        committingAt = monotonicMs()
      })
    }
    return committingAt
  },
}
export type NodeAnswers = typeof answers

if (process.argv[2] === 'worker') {
  joinParent(sharedWakeUps(installation), end)
  startWorking()
} else answerParent(answers)
