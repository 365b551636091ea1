import type { DryRunBody, LibraryJobDryRun, MatchedField, RefreshConfig } from '@carrel/api'
import { PluginFault } from '../../../plugins/fault.ts'
import { AppError } from '../../../platform/errors.ts'
import { readStatesOnly } from '../../editing/editing.ts'
import type { Entity } from '../../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { toApplied, fieldsToApply } from '../applying/applying.ts'
import { getOne } from '../asking/asking.ts'
import { configIn, type JobRef, requireJob } from './library-jobs.ts'
import { pluginCaller, type MatchingContext } from '../matching.ts'
import { previewOf } from '../asking/previewing.ts'
import { proposalOf } from '../asking/proposals.ts'
import { requireProvider } from '../asking/providers.ts'
import { countForJob, type JobRow, type SampledMatch, selectSample } from '../queries.ts'
import { dueBefore, entitiesFor, fieldsIn } from './refresh-matches.ts'

const sampleUsual = 5
/** After this nothing more is asked: what there is by then is told. */
const askMsMax = 20_000
const oneMsMax = 10_000

type Delta = LibraryJobDryRun['sample'][number]

/** What a job would change, of some: asked now, and not written. */
export const dryRunJob = async (
  context: MatchingContext,
  viewer: Viewer,
  ref: JobRef,
  { sampleSize = sampleUsual, configOverride = {} }: DryRunBody,
): Promise<LibraryJobDryRun> => {
  const { db, clock } = context
  const job = await requireJob(db.read, viewer, ref)
  const config: RefreshConfig = { ...configIn(job), ...configOverride }
  const before = dueBefore(config.skipRecentlySyncedWithinS, clock())
  const counted = { totalEligible: 0, estSkippedNoId: 0, estSkippedRecentlySynced: 0 }
  const sample: Delta[] = []
  let planFailure: string | null = null
  const endsAt = performance.now() + askMsMax
  for (const entity of await entitiesFor(db.read, job, config)) {
    const due = { libraryId: job.library_id, pluginId: job.plugin_id, entity, before }
    const { eligible, recent, all } = await countForJob(db.readSlowly, viewer, due)
    counted.totalEligible += eligible
    counted.estSkippedRecentlySynced += recent
    counted.estSkippedNoId += all - eligible - recent
    const rows = await selectSample(db.readSlowly, viewer, due, sampleSize - sample.length)
    for (const row of rows) {
      if (planFailure !== null) break
      const delta = performance.now() > endsAt ? tooSlow : await deltaOf(context, { job, entity, config, row })
      if ('problem' in delta) planFailure = delta.problem
      else sample.push(delta)
    }
  }
  return { sample, ...counted, planFailure }
}

const tooSlow = { problem: 'The plugin takes too long to ask about more.' }

interface Sampling {
  readonly job: JobRow
  readonly entity: Entity
  readonly config: RefreshConfig
  readonly row: SampledMatch
}

const deltaOf = async (
  context: MatchingContext,
  { job, entity, config, row }: Sampling,
): Promise<Delta | { readonly problem: string }> => {
  const { entity_id: id, external_id: externalId, title, cover_url: coverUrl } = row
  const base = { entity, entityId: id, title }
  try {
    const provider = await requireProvider(context.db.read, job.plugin_id, entity, job.library_id)
    const metadata = await getOne(pluginCaller(context, provider, oneMsMax), entity, externalId ?? '')
    const state = (await readStatesOnly(context.db.read, entity, [id], context.clock())).get(id)
    if (!state) return { ...base, changes: [], skipped: [] }
    const proposal = proposalOf(entity, provider, metadata)
    const previews = previewOf({ state, proposal, permissions: provider.permissions, coverUrl })
    const requested: readonly MatchedField[] | undefined = fieldsIn(config)
    const applied = { previews, fields: fieldsToApply(previews, requested), historyId: null }
    const { dryRunReport, skippedFields } = toApplied(applied, { requested, dryRun: true })
    const skipped = skippedFields.filter(({ reason }) => reason !== 'unchanged' && reason !== 'not_provided')
    return { ...base, changes: dryRunReport?.changes ?? [], skipped }
  } catch (error) {
    if (error instanceof PluginFault && error.code === 'NOT_FOUND') return { ...base, changes: [], skipped: [] }
    if (error instanceof PluginFault || error instanceof AppError) return { problem: error.message }
    throw error
  }
}
