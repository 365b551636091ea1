import type { MatchedField, RefreshConfig } from '@carrel/api'
import { Type } from 'typebox'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { defineTask, type TaskContext } from '../../../tasks/define-task.ts'
import { readStates } from '../../editing/editing.ts'
import type { Entity } from '../../../catalogue/metadata/metadata.ts'
import { applyMatches, type Match } from '../applying/applying.ts'
import { getOne } from '../asking/asking.ts'
import { groups } from '../applying/fields.ts'
import type { MatchingResources } from './outcomes.ts'
import { MustWait, orNothing, PluginIsAway, readyAsk, takeTurn, type Turn } from '../asking/patience.ts'
import { proposalOf } from '../asking/proposals.ts'
import { type Provider, requireProvider, selectAbleEntities, sourceOf } from '../asking/providers.ts'
import { type JobRow, type MatchRow, selectDue, selectJob, setRefreshed, updateJob } from '../queries.ts'

const hour = 60 * 60 * 1000
const matchesAtOnce = 20
const entitiesOf: Readonly<Record<RefreshConfig['scope'], readonly Entity[]>> = {
  series_only: ['series'],
  books_only: ['book'],
  series_and_books: ['series', 'book'],
}

const Figures = Type.Object({ asked: Type.Integer(), changed: Type.Integer(), unknown: Type.Integer() })

/** How far it has come, where it was put off. */
const Standing = Type.Object({
  entity: Type.Integer(),
  after: Type.String(),
  before: Type.String(),
  figures: Figures,
  waits: Type.Object({ inVain: Type.Integer() }),
})
type Standing = Type.Static<typeof Standing>

const Payload = Type.Object({
  jobId: Type.String(),
  libraryId: Type.String(),
  standing: Type.Optional(Standing),
})

/**
 * Asks a plugin again about what it has matched, as a job of a library wants it. What was asked about is noted with its
 * batch: after a halt it goes on with the rest.
 */
export const refreshMatches = defineTask(Payload, {
  type: 'refresh_matches',
  priority: 25,
  endsWithinMs: 12 * hour,
  key: ({ jobId }) => jobId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async (payload, context, { plugins }: MatchingResources) => {
    const { jobId } = payload
    const { db, clock, finish } = context
    const job = await selectJob(db.read, jobId)
    if (!job) return { result: { skipped: 'The job is gone.' } }
    const config = JSON.parse(job.config) as RefreshConfig
    const standing = structuredClone(payload.standing ?? beginning(config, clock()))
    const { figures, waits } = standing
    const turn = takeTurn(waits)
    let stopped: string | null = null
    try {
      const entities = await entitiesFor(db.read, job, config)
      for (; standing.entity < entities.length; standing.entity += 1, standing.after = '') {
        const entity = entities[standing.entity] ?? 'series'
        const halt = await refreshAll({ job, config, entity, standing, turn }, context, plugins)
        if (halt === 'done') continue
        const until = turn.until(halt === 'turn is over' ? undefined : halt, clock())
        return { putOff: { until, payload: { ...payload, standing } } }
      }
    } catch (error) {
      if (!(error instanceof PluginIsAway) && !(error instanceof AppError)) throw error
      stopped = error.message
    }
    await finish(async (db) => {
      await updateJob(db, jobId, {
        last_run_at: clock().toISOString(),
        last_status: stopped === null ? 'completed' : 'failed',
        last_message: stopped ?? `${figures.asked} asked about, ${figures.changed} changed.`,
      })
      return { result: { ...figures, stopped }, items: figures.asked }
    })
    return undefined
  },
})

const beginning = ({ skipRecentlySyncedWithinS }: RefreshConfig, now: Date): Standing => ({
  entity: 0,
  after: '',
  before: dueBefore(skipRecentlySyncedWithinS, now),
  figures: { asked: 0, changed: 0, unknown: 0 },
  waits: { inVain: 0 },
})

export const dueBefore = (skippedSeconds: number, now: Date): string =>
  new Date(now.getTime() - skippedSeconds * 1000).toISOString()

/** It returns what the plugin knows of its scope. A single one that it does not know is refused with the reason. */
export const entitiesFor = async (
  db: ReadDb,
  { plugin_id: pluginId, library_id: libraryId }: Pick<JobRow, 'plugin_id' | 'library_id'>,
  { scope }: Pick<RefreshConfig, 'scope'>,
): Promise<readonly Entity[]> => {
  const entities = entitiesOf[scope]
  const able = await selectAbleEntities(db, pluginId, libraryId)
  return entities.length === 1 || able.length === 0 ? entities : entities.filter((entity) => able.includes(entity))
}

interface Refreshing {
  readonly job: JobRow
  readonly config: RefreshConfig
  readonly entity: Entity
  readonly standing: Standing
  readonly turn: Turn
}

const refreshAll = async (
  { job, config, entity, standing, turn }: Refreshing,
  context: TaskContext,
  plugins: MatchingResources['plugins'],
): Promise<'done' | 'turn is over' | MustWait> => {
  const { db, signal, clock, write, progress } = context
  const { library_id: libraryId, plugin_id: pluginId } = job
  const { figures, waits, before } = standing
  const fields = fieldsIn(config)
  for (;;) {
    signal.throwIfAborted()
    const rows = await selectDue(db.readSlowly, { libraryId, pluginId, entity, before }, standing.after, matchesAtOnce)
    if (rows.length === 0) return 'done'
    const provider = await requireProvider(db.read, pluginId, entity, libraryId)
    const { matches, count, halt } = await askAgain({ entity, provider, rows }, context, plugins)
    if (count > 0) {
      waits.inVain = 0
      const refreshed = rows.slice(0, count)
      figures.changed += await write((db) => keep(db, { entity, provider, rows: refreshed, matches, fields }, clock()))
      figures.asked += count
      figures.unknown += count - matches.length
      standing.after = refreshed.at(-1)?.id ?? standing.after
    }
    progress({ current: figures.asked, total: figures.asked, message: job.name })
    if (halt instanceof PluginIsAway) throw halt
    if (halt) return halt
    if (turn.isOver()) return 'turn is over'
  }
}

export const fieldsIn = ({ fieldGroups, extraFields }: RefreshConfig): readonly MatchedField[] | undefined =>
  fieldGroups.length + extraFields.length === 0
    ? undefined
    : [...fieldGroups.flatMap((group) => groups[group].fields), ...extraFields]

interface Batch {
  readonly entity: Entity
  readonly provider: Provider
  readonly rows: readonly MatchRow[]
}

interface RefreshedMatches {
  readonly matches: readonly Match[]
  /** How many of them are done with, the first ones. */
  readonly count: number
  readonly halt: MustWait | PluginIsAway | undefined
}

const askAgain = async (
  { entity, provider, rows }: Batch,
  { signal }: TaskContext,
  plugins: MatchingResources['plugins'],
): Promise<RefreshedMatches> => {
  const ask = readyAsk(plugins, provider, signal)
  const matches: Match[] = []
  for (const [index, { entity_id: entityId, library_id: libraryId, external_id, confidence }] of rows.entries()) {
    const externalId = external_id ?? ''
    try {
      const metadata = await orNothing(() => getOne(ask, entity, externalId))
      if (!metadata) continue
      matches.push({ entityId, libraryId, externalId, confidence, proposal: proposalOf(entity, provider, metadata) })
    } catch (halt) {
      if (!(halt instanceof MustWait) && !(halt instanceof PluginIsAway)) throw halt
      return { matches, count: index, halt }
    }
  }
  return { matches, count: rows.length, halt: undefined }
}

interface Again extends Batch {
  readonly matches: readonly Match[]
  readonly fields: readonly MatchedField[] | undefined
}

/** What somebody has undone or taken back meanwhile is not said again. */
const keep = async (db: WriteDb, { entity, provider, rows, matches, fields }: Again, now: Date): Promise<number> => {
  const ids = matches.map(({ entityId }) => entityId)
  const source = sourceOf(provider)
  const subjects = new Map(
    [...(await readStates(db, entity, ids, now))].filter(([, { state }]) => state.words[source] !== undefined),
  )
  const open = matches.filter(({ entityId }) => subjects.has(entityId))
  const applied = await applyMatches(db, open, { entity, provider, subjects, fields, by: null, now })
  await setRefreshed(
    db,
    rows.map(({ id }) => id),
    now.toISOString(),
  )
  return [...applied.values()].filter(({ fields }) => fields.length > 0).length
}
