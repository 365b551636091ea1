import type { MatchedField, MetadataApplyResponse, MetadataFieldPreview } from '@carrel/api'
import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { changeMetadata, type Decide, type Subject } from '../../editing/editing.ts'
import { type Entity, inLayers, type Spoken } from '../../../catalogue/metadata/metadata.ts'
import { fetchCovers } from '../jobs/fetch-covers.ts'
import { previewOf } from '../asking/previewing.ts'
import type { Proposal } from '../asking/proposals.ts'
import { type Provider, sourceOf } from '../asking/providers.ts'
import { insertCoverChanges, type MatchRow, saveMatches, selectMatches } from '../queries.ts'

/** One of those that are matched together: what the plugin says of it. */
export interface Match {
  readonly entityId: string
  readonly libraryId: string
  readonly externalId: string
  readonly confidence: number | null
  readonly proposal: Proposal
}

interface Applying {
  readonly entity: Entity
  readonly provider: Provider
  readonly subjects: ReadonlyMap<string, Subject>
  /** Undefined: all. */
  readonly fields: readonly MatchedField[] | undefined
  /** Null: it happens by itself. */
  readonly by: string | null
  readonly now: Date
}

export interface Applied {
  readonly previews: readonly MetadataFieldPreview[]
  readonly fields: readonly MatchedField[]
  readonly historyId: string | null
}

/**
 * The one way in which plugins say something: into a layer of their own, what may be applied and is wanted, in as many
 * statements for one as for many. Covers come later, by a task of their own.
 */
export const applyMatches = async (
  db: WriteDb,
  matches: readonly Match[],
  { entity, provider, subjects, fields, by, now }: Applying,
): Promise<ReadonlyMap<string, Applied>> => {
  const existing = await selectMatches(
    db,
    provider.id,
    matches.map(({ entityId }) => entityId),
  )
  const source = sourceOf(provider)
  const speaker = { by, at: now.toISOString() }
  const decided = matches.flatMap((match) => {
    const subject = subjects.get(match.entityId)
    if (!subject) return []
    const coverUrl = existing.get(match.entityId)?.cover_url ?? null
    const previews = previewOf({
      state: subject.state,
      proposal: match.proposal,
      permissions: provider.permissions,
      coverUrl,
    })
    const fieldsToWrite = fieldsToApply(previews, fields)
    const entries = fieldsToWrite
      .filter((field) => field !== 'cover')
      .map((field) => [inLayers(field), { value: match.proposal[field], ...speaker }] as const)
    return [{ match, previews, fieldsToWrite, coverUrl, newWords: Object.fromEntries(entries) satisfies Spoken }]
  })
  const newWordsOf = new Map(decided.map(({ match, newWords }) => [match.entityId, newWords]))
  const decide =
    (id: string): Decide =>
    ({ words }) => ({ ...words, [source]: { ...words[source], ...newWordsOf.get(id) } })
  const lines = await changeMetadata(db, entity, { subjects, decide }, { by, source, reason: 'plugin', now })
  await saveMatches(
    db,
    decided.map((each) => ({
      ...rowOf(entity, provider, each.match, now),
      ...existing.get(each.match.entityId),
      ...asMatched(each, by, now),
      wanted_cover_url: wantedCoverOf(each, existing.get(each.match.entityId)),
    })),
  )
  const coverChanges = decided.flatMap(({ match: { entityId, proposal }, fieldsToWrite }) => {
    const [line, before_url] = [lines.get(entityId), latestCoverOf(existing.get(entityId))]
    if (!line || !fieldsToWrite.includes('cover')) return []
    const after_url = proposal.cover as string
    return { history_id: line.id, plugin_id: provider.id, entity_id: entityId, before_url, after_url }
  })
  await insertCoverChanges(db, coverChanges)
  if (decided.some(({ fieldsToWrite }) => fieldsToWrite.includes('cover'))) await enqueue(db, fetchCovers, {}, { now })
  return new Map(
    decided.map(({ match, previews, fieldsToWrite }) => [
      match.entityId,
      { previews, fields: fieldsToWrite, historyId: lines.get(match.entityId)?.id ?? null },
    ]),
  )
}

interface Decided {
  readonly match: Match
  readonly coverUrl: string | null
  readonly fieldsToWrite: readonly MatchedField[]
}

const asMatched = ({ match, coverUrl }: Decided, by: string | null, now: Date) => ({
  state: 'matched' as const,
  external_id: match.externalId,
  confidence: match.confidence,
  candidates: '[]',
  cover_url: coverUrl,
  refreshed_at: now.toISOString(),
  at: now.toISOString(),
  by_user_id: by,
})

/** A cover of the same work that was applied before and is still to be fetched goes on waiting. */
const wantedCoverOf = ({ match, fieldsToWrite }: Decided, existing: MatchRow | undefined): string | null => {
  if (fieldsToWrite.includes('cover')) return match.proposal.cover as string
  return existing?.external_id === match.externalId ? existing.wanted_cover_url : null
}

/** The cover a plugin has of it, or is about to have. */
export const latestCoverOf = (match: Pick<MatchRow, 'cover_url' | 'wanted_cover_url'> | undefined): string | null =>
  match?.wanted_cover_url ?? match?.cover_url ?? null

export const fieldsToApply = (
  previews: readonly MetadataFieldPreview[],
  fields: readonly MatchedField[] | undefined,
): MatchedField[] =>
  previews
    .filter(({ field, status }) => status === 'will_apply' && (fields === undefined || fields.includes(field)))
    .map(({ field }) => field)

export const rowOf = (
  entity: Entity,
  provider: Pick<Provider, 'id'>,
  { entityId, libraryId }: Pick<Match, 'entityId' | 'libraryId'>,
  now: Date,
): MatchRow => ({
  id: newId(now.getTime()),
  plugin_id: provider.id,
  entity,
  entity_id: entityId,
  series_id: entity === 'series' ? entityId : null,
  book_id: entity === 'book' ? entityId : null,
  library_id: libraryId,
  state: 'nothing',
  external_id: null,
  confidence: null,
  candidates: '[]',
  asked_title: null,
  cover_url: null,
  wanted_cover_url: null,
  refreshed_at: null,
  at: now.toISOString(),
  by_user_id: null,
})

/** In the words of the contract. */
export const toApplied = (
  { previews, fields, historyId }: Applied,
  { requested, dryRun }: { readonly requested: readonly MatchedField[] | undefined; readonly dryRun: boolean },
): MetadataApplyResponse => {
  const isRequested = (field: MatchedField) => requested === undefined || requested.includes(field)
  const changes = previews
    .filter(({ field }) => fields.includes(field))
    .map(({ field, currentValue, proposedValue }) => ({ field, before: currentValue, after: proposedValue }))
  const count = fields.length === 1 ? '1 field' : `${fields.length} fields`
  return {
    success: true,
    message: dryRun ? `${count} would be written.` : `${count} written.`,
    appliedFields: [...fields],
    skippedFields: previews
      .filter(({ field, status }) => isRequested(field) && status !== 'will_apply')
      .map(({ field, status, reason }) => ({ field, reason: reason ?? status })),
    historyId,
    dryRunReport: dryRun ? { changes } : null,
  }
}
