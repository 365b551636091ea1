import type { MatchedField, RefreshConfig } from '@carrel/api'
import { Type } from 'typebox'
import type { WriteDb } from '../../database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { defineTask, type TaskTools } from '../../tasks/define-task.ts'
import { readStates } from '../editing/editing.ts'
import type { Entity } from '../metadata/metadata.ts'
import { applyMatches, type Match } from './applying.ts'
import { getOne } from './asking.ts'
import type { MatchingSurroundings } from './auto-match.ts'
import { groups } from './fields.ts'
import { orNothing, patientAsk, PluginIsAway } from './patience.ts'
import { proposalOf } from './proposals.ts'
import { type Provider, requireProvider, sourceOf } from './providers.ts'
import { type JobRow, type MatchRow, selectDue, selectJob, setRefreshed, updateJob } from './queries.ts'

const hour = 60 * 60 * 1000
const matchesAtOnce = 20
const entitiesOf: Readonly<Record<RefreshConfig['scope'], readonly Entity[]>> = {
  series_only: ['series'],
  books_only: ['book'],
  series_and_books: ['series', 'book'],
}

/**
 * Asks a plugin again about what it has matched, as a job of a library wants it. What was asked about is noted with its
 * batch: after a halt it goes on with the rest.
 */
export const refreshMatches = defineTask(Type.Object({ jobId: Type.String(), libraryId: Type.String() }), {
  type: 'refresh_matches',
  priority: 25,
  endsWithinMs: 12 * hour,
  key: ({ jobId }) => jobId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async ({ jobId }, tools, { plugins }: MatchingSurroundings) => {
    const { db, clock, finish } = tools
    const job = await selectJob(db.read, jobId)
    if (!job) return { result: { skipped: 'The job is gone.' } }
    const config = JSON.parse(job.config) as RefreshConfig
    const before = new Date(clock().getTime() - config.skipRecentlySyncedWithinS * 1000).toISOString()
    const figures: Figures = { asked: 0, changed: 0, unknown: 0, stopped: null }
    try {
      for (const entity of entitiesOf[config.scope])
        await refreshAll({ job, config, entity, before, figures }, tools, plugins)
    } catch (error) {
      if (!(error instanceof PluginIsAway) && !(error instanceof AppError)) throw error
      figures.stopped = error.message
    }
    await finish(async (db) => {
      await updateJob(db, jobId, {
        last_run_at: clock().toISOString(),
        last_status: figures.stopped === null ? 'completed' : 'failed',
        last_message: figures.stopped ?? `${figures.asked} asked about, ${figures.changed} changed.`,
      })
      return { result: figures, items: figures.asked }
    })
    return undefined
  },
})

interface Refreshing {
  readonly job: JobRow
  readonly config: RefreshConfig
  readonly entity: Entity
  readonly before: string
  readonly figures: Figures
}

const refreshAll = async (
  { job, config, entity, before, figures }: Refreshing,
  tools: TaskTools,
  plugins: MatchingSurroundings['plugins'],
): Promise<void> => {
  const { db, signal, clock, write, progress } = tools
  const { library_id: libraryId, plugin_id: pluginId } = job
  const fields = fieldsIn(config)
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const due = { libraryId, pluginId, entity, before }
    const rows = await selectDue(db.readSlowly, due, after, matchesAtOnce)
    const last = rows.at(-1)
    if (!last) return
    const provider = await requireProvider(db.read, pluginId, entity, libraryId)
    const matches = await askAgain({ entity, provider, rows }, tools, plugins)
    figures.changed += await write((db) => keep(db, { entity, provider, rows, matches, fields }, clock()))
    figures.asked += rows.length
    figures.unknown += rows.length - matches.length
    after = last.id
    progress({ current: figures.asked, total: figures.asked, message: job.name })
  }
}

interface Figures {
  asked: number
  changed: number
  unknown: number
  stopped: string | null
}

const fieldsIn = ({ fieldGroups, extraFields }: RefreshConfig): readonly MatchedField[] | undefined =>
  fieldGroups.length + extraFields.length === 0
    ? undefined
    : [...fieldGroups.flatMap((group) => groups[group].fields), ...extraFields]

interface Batch {
  readonly entity: Entity
  readonly provider: Provider
  readonly rows: readonly MatchRow[]
}

const askAgain = async (
  { entity, provider, rows }: Batch,
  { signal }: TaskTools,
  plugins: MatchingSurroundings['plugins'],
): Promise<readonly Match[]> => {
  const ask = patientAsk(plugins, provider, signal)
  const matches: Match[] = []
  for (const { entity_id: entityId, library_id: libraryId, external_id, confidence } of rows) {
    const externalId = external_id ?? ''
    const said = await orNothing(() => getOne(ask, entity, externalId))
    if (!said) continue
    matches.push({ entityId, libraryId, externalId, confidence, proposal: proposalOf(entity, provider, said) })
  }
  return matches
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
