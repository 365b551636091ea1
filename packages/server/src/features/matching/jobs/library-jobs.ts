import type {
  LibraryJob,
  LibraryJobPatch,
  MatchedField,
  NewLibraryJob,
  RefreshConfig,
  NewRefreshConfig,
} from '@carrel/api'
import type { Context } from '../../../context.ts'
import { keptUntilCommits } from '../../../database/after-commits.ts'
import type { Database, ReadDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { AppError, full, invalid, notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { isTimeZone } from '../../../platform/time-zone.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { cronProblem, type Schedule } from '../../../tasks/schedule.ts'
import { requireLibrary } from '../../../catalogue/entries/entries.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { groups } from '../applying/fields.ts'
import { requireProvider } from '../asking/providers.ts'
import { deleteJob, insertJob, type JobRow, selectJob, selectJobs, selectSchedules, updateJob } from '../queries.ts'
import { refreshMatches } from './refresh-matches.ts'

const jobsMax = 50
const schedulesMax = 5000
const usual: RefreshConfig = {
  scope: 'series_only',
  fieldGroups: [],
  extraFields: [],
  skipRecentlySyncedWithinS: 3600,
}

type JobContext = Pick<Context, 'db' | 'clock'>

export const listGroups = () => ({
  groups: Object.entries(groups).map(([id, { label, fields }]) => ({
    id: id as keyof typeof groups,
    label,
    fields: [...fields] as MatchedField[],
  })),
})

export const listJobs = async (db: ReadDb, viewer: Viewer, libraryId: string): Promise<{ jobs: LibraryJob[] }> => {
  await requireLibrary(db, viewer, libraryId)
  return { jobs: (await selectJobs(db, libraryId, jobsMax)).map(toJob) }
}

const toJob = (row: JobRow): LibraryJob => ({
  id: row.id,
  libraryId: row.library_id,
  pluginId: row.plugin_id,
  name: row.name,
  config: configIn(row),
  cronSchedule: row.cron,
  timezone: row.time_zone,
  enabled: row.enabled === 1,
  lastRunAt: row.last_run_at,
  lastRunStatus: row.last_status,
  lastRunMessage: row.last_message,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const configIn = ({ config }: Pick<JobRow, 'config'>): RefreshConfig => ({
  ...usual,
  ...(JSON.parse(config) as NewRefreshConfig),
})

const requireTimes = ({ cronSchedule, timezone }: Pick<LibraryJobPatch, 'cronSchedule' | 'timezone'>): void => {
  const problem = cronSchedule === undefined ? undefined : cronProblem(cronSchedule)
  if (problem !== undefined) throw invalid('/cronSchedule', `The schedule ${problem}.`, { reason: 'schedule_wrong' })
  if (timezone != null && !isTimeZone(timezone))
    throw invalid('/timezone', 'There is no such time zone.', { reason: 'time_zone_unknown' })
}

export const createJob = async (
  { db, clock }: JobContext,
  viewer: Viewer,
  libraryId: string,
  body: NewLibraryJob,
): Promise<LibraryJob> => {
  await requireLibrary(db.read, viewer, libraryId)
  requireTimes(body)
  const config = { ...usual, ...body.config }
  const entity = config.scope === 'books_only' ? 'book' : 'series'
  const provider = await requireProvider(db.read, body.pluginId, entity, libraryId)
  const at = clock().toISOString()
  const row: JobRow = {
    id: newId(clock().getTime()),
    library_id: libraryId,
    plugin_id: provider.id,
    name: body.name ?? provider.displayName,
    config: JSON.stringify(config),
    cron: body.cronSchedule,
    time_zone: body.timezone ?? null,
    enabled: flag(body.enabled !== false),
    last_run_at: null,
    last_status: null,
    last_message: null,
    created_at: at,
    updated_at: at,
  }
  return db.write(async (db) => {
    if ((await selectJobs(db, libraryId, jobsMax)).length >= jobsMax)
      throw full(jobsMax, `A library may have ${jobsMax} jobs.`)
    await insertJob(db, row)
    return toJob(row)
  })
}

export interface JobRef {
  readonly libraryId: string
  readonly jobId: string
}

export const requireJob = async (db: ReadDb, viewer: Viewer, { libraryId, jobId }: JobRef): Promise<JobRow> => {
  await requireLibrary(db, viewer, libraryId)
  const row = await selectJob(db, jobId)
  if (row?.library_id !== libraryId) throw notFound('job')
  return row
}

export const readJob = async (db: ReadDb, viewer: Viewer, ref: JobRef): Promise<LibraryJob> =>
  toJob(await requireJob(db, viewer, ref))

export const changeJob = async (
  { db, clock }: JobContext,
  viewer: Viewer,
  ref: JobRef,
  body: LibraryJobPatch,
): Promise<LibraryJob> => {
  requireTimes(body)
  return db.write(async (db) => {
    const row = await requireJob(db, viewer, ref)
    const { name = row.name, cronSchedule: cron = row.cron, timezone = row.time_zone } = body
    await updateJob(db, row.id, {
      name,
      cron,
      time_zone: timezone,
      enabled: body.enabled === undefined ? row.enabled : flag(body.enabled),
      config: JSON.stringify({ ...configIn(row), ...body.config }),
      updated_at: clock().toISOString(),
    })
    return toJob(await requireJob(db, viewer, ref))
  })
}

export const removeJob = async ({ db }: JobContext, viewer: Viewer, ref: JobRef): Promise<undefined> => {
  await db.write(async (db) => deleteJob(db, (await requireJob(db, viewer, ref)).id))
  return undefined
}

export const runJob = ({ db, clock }: JobContext, viewer: Viewer, ref: JobRef): Promise<{ taskId: string }> =>
  db.write(async (db) => {
    const { id: jobId, library_id: libraryId } = await requireJob(db, viewer, ref)
    const { taskId, alreadyRunning } = await enqueue(db, refreshMatches, { jobId, libraryId }, { now: clock() })
    if (alreadyRunning) throw new AppError('conflict', 'This job is running already.', { reason: 'running_already' })
    return { taskId }
  })

const knownForMs = 10_000

/** When plugins are asked again, as it is set by now. */
export const jobSchedules = (db: Database): (() => Promise<readonly Schedule[]>) =>
  keptUntilCommits(db, knownForMs, async () =>
    (await selectSchedules(db.read, schedulesMax)).map(({ id, cron, time_zone }) => ({
      name: `library_job ${id}`,
      pattern: () => cron,
      timeZone: () => time_zone ?? 'UTC',
      fire: async (db, now) => {
        const row = await selectJob(db, id)
        if (row?.enabled === 1) await enqueue(db, refreshMatches, { jobId: id, libraryId: row.library_id }, { now })
      },
    })),
  )
