import type { Context } from '../../../context.ts'
import type { WriteDb } from '../../../database/database.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { readStates } from '../../editing/editing.ts'
import type { Entity } from '../../../catalogue/metadata/metadata.ts'
import type { Plugins } from '../../plugins/plugins.ts'
import { applyMatches, type Match, rowOf } from '../applying/applying.ts'
import { type Ask, bestMatch, getOne, type ShownMetadata, shownMetadataOf, toCandidate } from '../asking/asking.ts'
import { MustWait, orNothing, PluginIsAway, readyAsk } from '../asking/patience.ts'
import { proposalOf } from '../asking/proposals.ts'
import type { Provider } from '../asking/providers.ts'
import { type MatchRow, saveMatches, selectMatches, selectRefusals, type Unmatched } from '../queries.ts'
import { queriesFor } from '../asking/query-words.ts'

export type MatchingResources = Pick<Context, 'settings'> & {
  readonly decoders: Decoders
  readonly plugins: Pick<Plugins, 'call'>
}

/** What came of asking about one of them. */
export type Outcome = { readonly id: string; readonly searchedTitle: string } & (
  | { readonly kind: 'matched'; readonly match: Match }
  | { readonly kind: 'uncertain'; readonly confidence: number; readonly candidates: string }
  | { readonly kind: 'nothing' }
)

interface Batch {
  readonly entity: Entity
  readonly provider: Provider
  readonly rows: readonly Unmatched[]
  readonly libraryId: string
}

export interface BatchOutcome {
  readonly outcomes: readonly Outcome[]
  /** How many of the batch are done with, the first ones. */
  readonly count: number
  /** Why the others were not asked about. */
  readonly halt: MustWait | PluginIsAway | undefined
}

/** One after the other: a plugin says how often it may be asked, and nobody waits for it. */
export const askAll = async (
  { entity, provider, rows, libraryId }: Batch,
  { db, signal }: TaskContext,
  { decoders, plugins, settings }: MatchingResources,
): Promise<BatchOutcome> => {
  const queries = await queriesFor(decoders, provider, entity, rows)
  const refusals = await selectRefusals(
    db.read,
    provider.id,
    rows.map(({ id }) => id),
  )
  const threshold = settings.get('plugins.auto_match_confidence_threshold')
  const outcomes: Outcome[] = []
  const ask = readyAsk(plugins, provider, signal)
  for (const [index, row] of rows.entries()) {
    signal.throwIfAborted()
    const { query = row.title, isMeant = false } = queries[index] ?? {}
    if (!isMeant) continue
    const refused = refusals.get(row.id) ?? new Set<string>()
    const options = { entity, provider, shown: shownMetadataOf(row), query, refused, threshold, id: row.id, libraryId }
    try {
      outcomes.push(await askAbout(ask, options))
    } catch (halt) {
      if (!(halt instanceof MustWait) && !(halt instanceof PluginIsAway)) throw halt
      return { outcomes, count: index, halt }
    }
  }
  return { outcomes, count: rows.length, halt: undefined }
}

interface MatchQuestion {
  readonly entity: Entity
  readonly provider: Provider
  readonly shown: ShownMetadata
  readonly query: string
  readonly refused: ReadonlySet<string>
  readonly threshold: number
  readonly id: string
  readonly libraryId: string
}

const askAbout = async (ask: Ask, { id, libraryId, threshold, ...options }: MatchQuestion): Promise<Outcome> => {
  const { entity, provider, refused, shown } = options
  const base = { id, searchedTitle: shown.title }
  const best = await orNothing(() => bestMatch(ask, options))
  if (!best?.match) return { ...base, kind: 'nothing' }
  const { match, confidence, alternatives } = best
  if (confidence < threshold) {
    const candidates = JSON.stringify([match, ...alternatives].map(toCandidate(refused)))
    return { ...base, kind: 'uncertain', confidence, candidates }
  }
  const metadata = best.metadata ?? (await orNothing(() => getOne(ask, entity, match.externalId)))
  if (!metadata) return { ...base, kind: 'nothing' }
  const proposal = proposalOf(entity, provider, metadata)
  const { externalId } = match
  return { ...base, kind: 'matched', match: { entityId: id, libraryId, externalId, confidence, proposal } }
}

interface Outcomes {
  readonly entity: Entity
  readonly provider: Provider
  readonly libraryId: string
  readonly outcomes: readonly Outcome[]
  /** Somebody has asked for these: what waited for them is proposed anew. */
  readonly areRequested: boolean
  readonly by: string | null
}

/** Answers how many were matched. What somebody has decided meanwhile stays. */
export const storeOutcomes = async (db: WriteDb, batch: Outcomes, now: Date): Promise<number> => {
  const { entity, provider, libraryId, outcomes, areRequested, by } = batch
  const ids = outcomes.map(({ id }) => id)
  const subjects = await readStates(db, entity, ids, now)
  const existing = await selectMatches(db, provider.id, ids)
  const openStates: readonly string[] = areRequested ? ['nothing', 'uncertain'] : ['nothing']
  const open = outcomes.filter(
    ({ id }) => subjects.has(id) && openStates.includes(existing.get(id)?.state ?? 'nothing'),
  )
  const matches = open.flatMap((each) => (each.kind === 'matched' ? [each.match] : []))
  const own = new Map([...subjects].filter(([id]) => matches.some(({ entityId }) => entityId === id)))
  await applyMatches(db, matches, { entity, provider, subjects: own, fields: undefined, by, now })
  const rows = open.flatMap((each): MatchRow[] => {
    if (each.kind === 'matched') return []
    const row = {
      ...rowOf(entity, provider, { entityId: each.id, libraryId }, now),
      ...existing.get(each.id),
      at: now.toISOString(),
      asked_title: each.searchedTitle,
    }
    return each.kind === 'nothing'
      ? [{ ...row, state: 'nothing', confidence: null, candidates: '[]' }]
      : [{ ...row, state: 'uncertain', confidence: each.confidence, candidates: each.candidates }]
  })
  await saveMatches(db, rows)
  return matches.length
}
