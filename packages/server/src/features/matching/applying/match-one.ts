import type { AutoMatched, MetadataApplyResponse } from '@carrel/api'
import { getOne, bestMatch, toCandidate, webAddress } from '../asking/asking.ts'
import {
  withRefusals,
  pluginCaller,
  openSubject,
  addCoverAddress,
  type Subject,
  type MatchingContext,
  writeMatch,
} from '../matching.ts'
import { storeOutcomes, type Outcome } from '../jobs/outcomes.ts'
import { proposalOf } from '../asking/proposals.ts'
import { selectRefusals } from '../queries.ts'
import { queryFor, wordsFor } from '../asking/query-words.ts'

interface MatchRequest {
  readonly pluginId: string
  readonly query?: string | undefined
}

/** Nothing is compared: it is applied as it is by now. */
const asItIs = (): void => undefined

/** What a plugin is sure of is applied; what it is not sure of waits in the queue. */
export const autoMatchOne = async (
  context: MatchingContext,
  subject: Subject,
  options: MatchRequest,
): Promise<AutoMatched> => {
  const { entity, id, viewer } = subject
  const { row, provider, shown } = await openSubject(context, subject, options.pluginId)
  const query = options.query ?? (await queryFor(context.decoders, provider, entity, row))
  const refused = (await selectRefusals(context.db.read, provider.id, [id])).get(id) ?? new Set<string>()
  const ask = pluginCaller(context, provider)
  const best = await withRefusals(provider, () => bestMatch(ask, { entity, provider, shown, query, refused }))
  const { match, confidence } = best
  const matchedResult = match && addCoverAddress(context, viewer, provider.id)(toCandidate(refused)(match))
  const isSure = confidence >= context.settings.get('plugins.auto_match_confidence_threshold')
  if (match && isSure) {
    const metadata = best.metadata ?? (await withRefusals(provider, () => getOne(ask, entity, match.externalId)))
    const proposal = proposalOf(entity, provider, metadata)
    const outcome = { entityId: id, libraryId: row.library_id, externalId: match.externalId, confidence, proposal }
    const applied = await writeMatch(context, subject, { provider, match: outcome, fields: undefined }, asItIs)
    return { ...replyOf(applied), matchedResult, confidence, externalUrl: webAddress(metadata.externalUrl) }
  }
  const candidates = match ? [match, ...best.alternatives].map(toCandidate(refused)) : []
  const outcome: Outcome = match
    ? { id, searchedTitle: shown.title, kind: 'uncertain', confidence, candidates: JSON.stringify(candidates) }
    : { id, searchedTitle: shown.title, kind: 'nothing' }
  const { library_id: libraryId } = row
  const keeping = { entity, provider, libraryId, outcomes: [outcome], areRequested: true, by: viewer.userId }
  await context.db.write((db) => storeOutcomes(db, keeping, context.clock()))
  return { ...nothingDone, ...answers[outcome.kind], matchedResult, confidence, externalUrl: null }
}

const replyOf = ({ message, appliedFields, skippedFields, historyId }: MetadataApplyResponse) => ({
  success: true,
  state: 'matched' as const,
  message,
  appliedFields,
  skippedFields,
  historyId,
})

const nothingDone = { success: false, appliedFields: [], skippedFields: [], historyId: null }
const answers = {
  uncertain: { state: 'uncertain', message: 'It is not sure enough: somebody has to look.' },
  nothing: { state: 'nothing', message: 'Nothing was found.' },
} as const

export const readSearchTitle = async (context: MatchingContext, subject: Subject, pluginId: string) => {
  const { row, provider } = await openSubject(context, subject, pluginId)
  const { query, rulesApplied } = await wordsFor(context.decoders, provider, subject.entity, row)
  return { originalTitle: row.title, searchTitle: query, rulesApplied }
}
