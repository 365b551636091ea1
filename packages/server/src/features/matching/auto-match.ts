import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { WriteDb } from '../../database/database.ts'
import type { Decoders } from '../../decoders/pool.ts'
import { AppError } from '../../platform/errors.ts'
import { defineTask, type TaskTools } from '../../tasks/define-task.ts'
import { type Enqueued, enqueue } from '../../tasks/queue.ts'
import { readStates } from '../editing/editing.ts'
import { requireLibrary } from '../libraries/libraries.ts'
import type { Plugins } from '../plugins/plugins.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { applyMatches, type Match, rowOf } from './applying.ts'
import { type Ask, bestMatch, getOne, type Known, toCandidate } from './asking.ts'
import { orNothing, patientAsk, PluginIsAway } from './patience.ts'
import { proposalOf } from './proposals.ts'
import { type Provider, requireProvider, selectProviders } from './providers.ts'
import {
  countUnmatched,
  type MatchRow,
  saveMatches,
  selectMatches,
  selectRefusals,
  selectUnmatched,
  type Unmatched,
} from './queries.ts'
import { queriesFor } from './query-words.ts'

export type MatchingSurroundings = Pick<Context, 'settings'> & {
  readonly decoders: Decoders
  readonly plugins: Pick<Plugins, 'call'>
}

const hour = 60 * 60 * 1000
const seriesAtOnce = 20

const Payload = Type.Object({ libraryId: Type.String(), pluginId: Type.String(), again: Type.Boolean() })

/**
 * Asks a plugin about every series of a library that it has not been asked about. What it is certain of is applied, the
 * rest waits for people. Every outcome is kept with its batch, so that what was interrupted goes on behind it.
 */
export const autoMatch = defineTask(Payload, {
  type: 'auto_match',
  priority: 30,
  endsWithinMs: 12 * hour,
  key: ({ libraryId, pluginId }) => `${libraryId} ${pluginId}`,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async (payload, tools, surroundings: MatchingSurroundings) => {
    const figures: Figures = { matched: 0, uncertain: 0, nothing: 0, passedOver: 0, stopped: null }
    const { db, signal, clock, write, progress } = tools
    try {
      const total = await countUnmatched(db.readSlowly, payload)
      for (let after = ''; ;) {
        signal.throwIfAborted()
        const rows = await selectUnmatched(db.readSlowly, payload, after, seriesAtOnce)
        const last = rows.at(-1)
        if (!last) break
        const provider = await requireProvider(db.read, payload.pluginId, 'series', payload.libraryId)
        const outcomes = await askAll({ provider, rows, payload }, tools, surroundings)
        const kept = await write((db) => keepOutcomes(db, { provider, payload, outcomes }, clock()))
        figures.matched += kept
        figures.uncertain += outcomes.filter(({ kind }) => kind === 'uncertain').length
        figures.nothing += outcomes.filter(({ kind }) => kind === 'nothing').length
        figures.passedOver += rows.length - outcomes.length
        after = last.id
        const current = figures.matched + figures.uncertain + figures.nothing + figures.passedOver
        progress({ current, total: Math.max(current, total), message: provider.displayName })
      }
    } catch (error) {
      if (!(error instanceof PluginIsAway) && !(error instanceof AppError)) throw error
      figures.stopped = error.message
    }
    return { result: figures, items: figures.matched + figures.uncertain + figures.nothing }
  },
})

interface Figures {
  matched: number
  uncertain: number
  nothing: number
  passedOver: number
  /** Why it came to an end before the last. */
  stopped: string | null
}

type Payload = { readonly libraryId: string; readonly pluginId: string; readonly again: boolean }

type Outcome =
  | { readonly kind: 'matched'; readonly id: string; readonly match: Match }
  | { readonly kind: 'uncertain'; readonly id: string; readonly confidence: number; readonly candidates: string }
  | { readonly kind: 'nothing'; readonly id: string }

interface Batch {
  readonly provider: Provider
  readonly rows: readonly Unmatched[]
  readonly payload: Payload
}

/** One after the other: a plugin says how often it may be asked, and nobody waits for it. */
const askAll = async (
  { provider, rows, payload }: Batch,
  { db, signal }: TaskTools,
  { decoders, plugins, settings }: MatchingSurroundings,
): Promise<readonly Outcome[]> => {
  const queries = await queriesFor(decoders, provider, 'series', rows)
  const refusals = await selectRefusals(
    db.read,
    provider.id,
    rows.map(({ id }) => id),
  )
  const threshold = settings.get('plugins.auto_match_confidence_threshold')
  const outcomes: Outcome[] = []
  const ask = patientAsk(plugins, provider, signal)
  for (const [at, row] of rows.entries()) {
    const { query = row.title, isMeant = false } = queries[at] ?? {}
    if (!isMeant) continue
    const known = { title: row.title, year: row.year, metadata: row.metadata }
    const refused = refusals.get(row.id) ?? new Set<string>()
    const wish = { provider, known, query, refused, threshold, id: row.id, libraryId: payload.libraryId }
    outcomes.push(await askAbout(ask, wish))
  }
  return outcomes
}

interface Wish {
  readonly provider: Provider
  readonly known: Known
  readonly query: string
  readonly refused: ReadonlySet<string>
  readonly threshold: number
  readonly id: string
  readonly libraryId: string
}

const askAbout = async (ask: Ask, { id, libraryId, threshold, ...wish }: Wish): Promise<Outcome> => {
  const { provider, refused } = wish
  const best = await orNothing(() => bestMatch(ask, { entity: 'series', ...wish }))
  if (!best?.match) return { kind: 'nothing', id }
  const { match, confidence, alternatives } = best
  if (confidence < threshold) {
    const candidates = JSON.stringify([match, ...alternatives].map(toCandidate(refused)))
    return { kind: 'uncertain', id, confidence, candidates }
  }
  const said = await orNothing(() => getOne(ask, 'series', match.externalId))
  if (!said) return { kind: 'nothing', id }
  const proposal = proposalOf('series', provider, said)
  return { kind: 'matched', id, match: { entityId: id, libraryId, externalId: match.externalId, confidence, proposal } }
}

interface Outcomes {
  readonly provider: Provider
  readonly payload: Payload
  readonly outcomes: readonly Outcome[]
}

/** Answers how many were matched. What somebody has decided meanwhile stays. */
const keepOutcomes = async (db: WriteDb, { provider, payload, outcomes }: Outcomes, now: Date): Promise<number> => {
  const ids = outcomes.map(({ id }) => id)
  const subjects = await readStates(db, 'series', ids, now)
  const known = await selectMatches(db, provider.id, ids)
  const open = outcomes.filter(({ id }) => subjects.has(id) && (known.get(id)?.state ?? 'nothing') === 'nothing')
  const matches = open.flatMap((each) => (each.kind === 'matched' ? [each.match] : []))
  const own = new Map([...subjects].filter(([id]) => matches.some(({ entityId }) => entityId === id)))
  await applyMatches(db, matches, { entity: 'series', provider, subjects: own, fields: undefined, by: null, now })
  const rows = open.flatMap((each): MatchRow[] => {
    if (each.kind === 'matched') return []
    const row = {
      ...rowOf('series', provider, { entityId: each.id, libraryId: payload.libraryId }, now),
      ...known.get(each.id),
    }
    return each.kind === 'nothing'
      ? [{ ...row, state: 'nothing' }]
      : [{ ...row, state: 'uncertain', confidence: each.confidence, candidates: each.candidates }]
  })
  await saveMatches(db, rows)
  return matches.length
}

export const startAutoMatch = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
  libraryId: string,
  { pluginId, again = false }: { readonly pluginId: string; readonly again?: boolean | undefined },
): Promise<Enqueued> => {
  await requireLibrary(db.read, viewer, libraryId)
  await requireProvider(db.read, pluginId, 'series', libraryId)
  return db.write((db) => enqueue(db, autoMatch, { libraryId, pluginId, again }, { now: clock() }))
}

/** After a scan, when the administrator wants that. */
export const matchAfterScan = async (
  db: WriteDb,
  { settings }: Pick<Context, 'settings'>,
  libraryId: string,
  now: Date,
): Promise<void> => {
  if (!settings.get('plugins.post_scan_auto_match_enabled')) return
  for (const { id: pluginId } of await selectProviders(db, 'series', libraryId))
    await enqueue(db, autoMatch, { libraryId, pluginId, again: false }, { now })
}
