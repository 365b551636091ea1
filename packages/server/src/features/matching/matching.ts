import type {
  MatchCandidate,
  MatchedField,
  MetadataApplyRequest,
  MetadataApplyResponse,
  MetadataMatchResponse,
  MetadataPreviewResponse,
  MetadataSearchRequest,
  MetadataSearchResponse,
  PluginAction,
} from '@carrel/api'
import type { SearchResult } from '@carrel/plugin-sdk/protocol'
import type { Context } from '../../context.ts'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { requireEntity } from '../../catalogue/entries/entries.ts'
import { coverStore, forgetPluginCovers, forgetPictures } from '../covers/covers.ts'
import { changeMetadata, readStates, readStatesOnly } from '../editing/editing.ts'
import { type Entity, recordOf } from '../../catalogue/metadata/metadata.ts'
import { askPlugin, foundCoverAddresses, selectPluginByName } from '../plugins/plugins.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { applyMatches, type Match, toApplied, latestCoverOf, fieldsToApply } from './applying/applying.ts'
import {
  asRefusal,
  type Ask,
  bestMatch,
  type Candidate,
  getOne,
  shownMetadataOf,
  searchFor,
  toCandidate,
  webAddress,
} from './asking/asking.ts'
import { previewOf, summaryOf } from './asking/previewing.ts'
import { proposalOf } from './asking/proposals.ts'
import { type Provider, requireProvider, selectProviders, sourceOf } from './asking/providers.ts'
import {
  deleteRefusal,
  insertCoverChanges,
  insertRefusals,
  saveMatches,
  selectMatches,
  selectRefusals,
} from './queries.ts'
import { queryFor } from './asking/query-words.ts'

export type MatchingContext = Pick<Context, 'db' | 'clock' | 'decoders' | 'settings' | 'config' | 'secret'>

/** What is to be matched, and by whom. */
export interface Subject {
  readonly entity: Entity
  readonly id: string
  readonly viewer: Viewer
}

export const listActions = async (
  db: ReadDb,
  { scope, libraryId }: { readonly scope: 'series:detail' | 'book:detail'; readonly libraryId?: string | undefined },
): Promise<{ scope: typeof scope; actions: PluginAction[] }> => {
  const providers = await selectProviders(db, scope === 'series:detail' ? 'series' : 'book', libraryId)
  return {
    scope,
    actions: providers.map(({ id, name, displayName, description, manifest }) => ({
      actionType: 'metadata_search',
      pluginId: id,
      pluginName: name,
      pluginDisplayName: displayName,
      label: `Search ${displayName}`,
      description,
      searchUriTemplate: manifest?.searchURITemplate ?? null,
    })),
  }
}

/** The subject, and the plugin that may be asked about it. */
export const openSubject = async ({ db }: MatchingContext, subject: Subject, pluginId: string) => {
  const row = await requireEntity(db.read, subject.viewer, subject.entity, subject.id)
  const provider = await requireProvider(db.read, pluginId, subject.entity, row.library_id)
  return { row, provider, shown: shownMetadataOf(row) }
}

/** Nobody waits longer in front of a page. */
const replyMs = 25_000

export const pluginCaller =
  (context: MatchingContext, provider: Provider, deadlineMs = replyMs): Ask =>
  async (method, params) =>
    askPlugin(context, { pluginId: provider.id, method, params, deadlineMs })

export const withRefusals = async <Result>(provider: Provider, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw asRefusal(error, provider)
  }
}

export const searchMetadata = async (
  context: MatchingContext,
  subject: Subject,
  body: MetadataSearchRequest,
): Promise<MetadataSearchResponse> => {
  const { row, provider } = await openSubject(context, subject, body.pluginId)
  const query = body.query ?? (await queryFor(context.decoders, provider, subject.entity, row))
  const limit = body.limit ?? provider.options.internalConfig?.searchResultsLimit ?? undefined
  const reply = await withRefusals(provider, () =>
    searchFor(pluginCaller(context, provider), subject.entity, { query, limit, cursor: body.cursor }),
  )
  const refused = (await selectRefusals(context.db.read, provider.id, [subject.id])).get(subject.id) ?? new Set()
  return {
    pluginId: provider.id,
    pluginName: provider.name,
    query,
    results: reply.results.map(toCandidate(refused)).map(addCoverAddress(context, subject.viewer, provider.id)),
    nextCursor: reply.nextCursor ?? null,
  }
}

/** With where its cover can be seen. */
export const addCoverAddress = (
  context: Pick<Context, 'secret' | 'clock' | 'config'>,
  { userId }: Viewer,
  pluginId: string,
): ((candidate: Candidate) => MatchCandidate) => {
  const addressOf = foundCoverAddresses(context, { pluginId, userId })
  return (candidate) => ({ ...candidate, coverProxyUrl: addressOf(candidate.coverUrl) })
}

export const matchMetadata = async (
  context: MatchingContext,
  subject: Subject,
  pluginId: string,
): Promise<MetadataMatchResponse> => {
  const { row, provider, shown } = await openSubject(context, subject, pluginId)
  const refused = (await selectRefusals(context.db.read, provider.id, [subject.id])).get(subject.id) ?? new Set()
  const query = await queryFor(context.decoders, provider, subject.entity, row)
  const { match, confidence, alternatives } = await withRefusals(provider, () =>
    bestMatch(pluginCaller(context, provider), { entity: subject.entity, provider, shown, query, refused }),
  )
  const show = addCoverAddress(context, subject.viewer, provider.id)
  const toDto = (result: SearchResult) => show(toCandidate(refused)(result))
  return {
    pluginId: provider.id,
    pluginName: provider.name,
    match: match && toDto(match),
    confidence,
    isCertain: match !== null && confidence >= context.settings.get('plugins.auto_match_confidence_threshold'),
    alternatives: alternatives.map(toDto),
  }
}

interface MatchChoice {
  readonly pluginId: string
  readonly externalId: string
}

const fetchProposal = async (context: MatchingContext, subject: Subject, { pluginId, externalId }: MatchChoice) => {
  const { row, provider } = await openSubject(context, subject, pluginId)
  const metadata = await withRefusals(provider, () =>
    getOne(pluginCaller(context, provider), subject.entity, externalId),
  )
  return { provider, metadata, proposal: proposalOf(subject.entity, provider, metadata), libraryId: row.library_id }
}

export const previewMatch = async (
  context: MatchingContext,
  subject: Subject,
  options: MatchChoice,
): Promise<MetadataPreviewResponse> => {
  const { provider, metadata, proposal } = await fetchProposal(context, subject, options)
  const fields = await previewFields(context, subject, { provider, proposal })
  const addressOf = foundCoverAddresses(context, { pluginId: provider.id, userId: subject.viewer.userId })
  return {
    pluginId: provider.id,
    pluginName: provider.name,
    externalId: options.externalId,
    externalUrl: webAddress(metadata.externalUrl),
    coverProxyUrl: addressOf((proposal.cover as string | undefined) ?? null),
    fields,
    summary: summaryOf(fields),
  }
}

const previewFields = async (
  { db, clock }: MatchingContext,
  { entity, id }: Subject,
  { provider, proposal }: { readonly provider: Provider; readonly proposal: Match['proposal'] },
) => {
  const state = (await readStatesOnly(db.read, entity, [id], clock())).get(id)
  if (!state) throw notFound(entity)
  const coverUrl = (await selectMatches(db.read, provider.id, [id])).get(id)?.cover_url ?? null
  return previewOf({ state, proposal, permissions: provider.permissions, coverUrl })
}

type Expect = (current: unknown) => void

/** The plugin is asked first; what has been edited meanwhile is looked at anew in the transaction that writes. */
export const applyMatch = async (
  context: MatchingContext,
  subject: Subject,
  body: MetadataApplyRequest,
  expectMatch: Expect,
): Promise<MetadataApplyResponse> => {
  const { provider, proposal, libraryId } = await fetchProposal(context, subject, body)
  const requested = body.fields
  if (body.dryRun === true) {
    const previews = await previewFields(context, subject, { provider, proposal })
    const fields = fieldsToApply(previews, requested)
    return toApplied({ previews, fields, historyId: null }, { requested, dryRun: true })
  }
  const match = { entityId: subject.id, libraryId, externalId: body.externalId, confidence: null, proposal }
  return writeMatch(context, subject, { provider, match, fields: requested }, expectMatch)
}

interface Writing {
  readonly provider: Provider
  readonly match: Match
  readonly fields: MatchedField[] | undefined
}

export const writeMatch = (
  context: MatchingContext,
  subject: Subject,
  { provider, match, fields }: Writing,
  expectMatch: Expect,
): Promise<MetadataApplyResponse> => {
  const { entity, id, viewer } = subject
  return context.db.write(async (db) => {
    const now = context.clock()
    const subjects = await openForWrite(db, subject, now, expectMatch)
    await deleteRefusal(db, provider.id, id, match.externalId)
    const by = viewer.userId
    const applied = await applyMatches(db, [match], { entity, provider, subjects, fields, by, now })
    const own = applied.get(id)
    if (!own) throw notFound(entity)
    return toApplied(own, { requested: fields, dryRun: false })
  })
}

const openForWrite = async (db: WriteDb, { entity, id, viewer }: Subject, now: Date, expectMatch: Expect) => {
  await requireEntity(db, viewer, entity, id)
  const subjects = await readStates(db, entity, [id], now)
  // Its row is locked now.
  expectMatch(recordOf(entity, await requireEntity(db, viewer, entity, id)))
  return subjects
}

/** All that a plugin said of it goes, and comes back only when somebody says so. */
export const unmatch = async (
  context: MatchingContext,
  subject: Subject,
  pluginName: string,
  expectMatch: Expect,
): Promise<undefined> => {
  const { db, clock, config } = context
  const plugin = await selectPluginByName(db.read, pluginName)
  const pictures = await db.write(async (db) => {
    const now = clock()
    await openForWrite(db, subject, now, expectMatch)
    return unmatchWithin(db, subject, { name: pluginName, id: plugin?.id, now })
  })
  await forgetPictures(coverStore(config), db.read, pictures)
  return undefined
}

interface UnmatchOptions {
  readonly name: string
  /** Absent: the plugin itself is gone. */
  readonly id: string | undefined
  readonly now: Date
}

/** Answers the names of pictures that may not be needed any more. */
export const unmatchWithin = async (
  db: WriteDb,
  { entity, id, viewer }: Subject,
  { name, id: pluginId, now }: UnmatchOptions,
): Promise<readonly string[]> => {
  const source = sourceOf({ name })
  const subjects = await readStates(db, entity, [id], now)
  const by = viewer.userId
  const lines = await changeMetadata(
    db,
    entity,
    { subjects, decide: () => (state) => ({ ...state.words, [source]: {} }) },
    { by, source, reason: 'plugin', now },
  )
  const pictures = await forgetPluginCovers(db, { kind: entity, id }, source, now)
  const storedMatch = pluginId === undefined ? undefined : (await selectMatches(db, pluginId, [id])).get(id)
  if (!storedMatch) return pictures
  const line = lines.get(id)
  const coverUrl = latestCoverOf(storedMatch)
  if (line && coverUrl !== null)
    await insertCoverChanges(db, [
      { history_id: line.id, plugin_id: storedMatch.plugin_id, entity_id: id, before_url: coverUrl, after_url: null },
    ])
  const at = now.toISOString()
  const refusal = {
    plugin_id: storedMatch.plugin_id,
    entity_id: id,
    series_id: storedMatch.series_id,
    book_id: storedMatch.book_id,
    at,
    by_user_id: by,
  }
  if (storedMatch.external_id !== null) await insertRefusals(db, [{ ...refusal, external_id: storedMatch.external_id }])
  const state = 'refused'
  await saveMatches(db, [
    {
      ...storedMatch,
      state,
      external_id: null,
      confidence: null,
      candidates: '[]',
      cover_url: null,
      wanted_cover_url: null,
      at,
      by_user_id: by,
    },
  ])
  return pictures
}
