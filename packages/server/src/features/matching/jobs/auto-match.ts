import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { AppError } from '../../../platform/errors.ts'
import { defineTask, type TaskContext } from '../../../tasks/define-task.ts'
import type { Entity } from '../../../catalogue/metadata/metadata.ts'
import { askAll, storeOutcomes, type MatchingResources, type Outcome } from './outcomes.ts'
import { type MustWait, PluginIsAway, takeTurn, type Turn } from '../asking/patience.ts'
import { requireProvider } from '../asking/providers.ts'
import { countUnmatched, selectUnmatched } from '../queries.ts'

const hour = 60 * 60 * 1000
const atOnce = 20

const Figures = Type.Object({
  matched: Type.Integer(),
  uncertain: Type.Integer(),
  nothing: Type.Integer(),
  passedOver: Type.Integer(),
})
type Figures = Type.Static<typeof Figures>

/** How far it has come, where it was put off. */
const Standing = Type.Object({
  entity: Type.Integer(),
  after: Type.String(),
  figures: Figures,
  waits: Type.Object({ inVain: Type.Integer() }),
})
type Standing = Type.Static<typeof Standing>

const Payload = Type.Object({
  libraryId: Type.String(),
  pluginId: Type.String(),
  again: Type.Boolean(),
  /** Absent: series. */
  entities: Type.Optional(Type.Array(Type.Union([Type.Literal('series'), Type.Literal('book')]))),
  /** Only these, which somebody has asked for; absent: all. */
  ids: Type.Optional(Type.Array(Type.String())),
  by: Type.Optional(Type.String()),
  standing: Type.Optional(Standing),
})
type Payload = Type.Static<typeof Payload>

/**
 * Asks a plugin about every series and every book of a library that it has not been asked about. What it is certain of is
 * applied, the rest waits for people. Every outcome is kept with its batch, so that what was interrupted goes on behind it.
 */
export const autoMatch = defineTask(Payload, {
  type: 'auto_match',
  priority: 30,
  endsWithinMs: 12 * hour,
  key: ({ libraryId, pluginId, ids }) =>
    `${libraryId} ${pluginId}${ids ? ` ${hash('sha256', ids.join(), 'hex').slice(0, 32)}` : ''}`,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async (payload, context, resources: MatchingResources) => {
    const standing = structuredClone(payload.standing ?? beginning)
    const { figures, waits } = standing
    const { entities = ['series'] } = payload
    const turn = takeTurn(waits)
    let stopped: string | null = null
    try {
      for (; standing.entity < entities.length; standing.entity += 1, standing.after = '') {
        const entity = entities[standing.entity] ?? 'series'
        const halt = await matchAll({ payload, entity, standing, turn }, context, resources)
        if (halt === 'done') continue
        const until = turn.until(halt === 'turn is over' ? undefined : halt, context.clock())
        return { putOff: { until, payload: { ...payload, standing } } }
      }
    } catch (error) {
      if (!(error instanceof PluginIsAway) && !(error instanceof AppError)) throw error
      stopped = error.message
    }
    // Why it came to an end before the last.
    return { result: { ...figures, stopped }, items: figures.matched + figures.uncertain + figures.nothing }
  },
})

const beginning: Standing = {
  entity: 0,
  after: '',
  figures: { matched: 0, uncertain: 0, nothing: 0, passedOver: 0 },
  waits: { inVain: 0 },
}

interface Matching {
  readonly payload: Payload
  readonly entity: Entity
  readonly standing: Standing
  readonly turn: Turn
}

const matchAll = async (
  { payload, entity, standing, turn }: Matching,
  context: TaskContext,
  resources: MatchingResources,
): Promise<'done' | 'turn is over' | MustWait> => {
  const { db, signal, clock, write } = context
  const { libraryId, pluginId, ids, by = null } = payload
  const { figures, waits } = standing
  const selection = { ...payload, entity }
  const total = doneOf(figures) + (await countUnmatched(db.readSlowly, selection, standing.after))
  for (;;) {
    signal.throwIfAborted()
    const rows = await selectUnmatched(db.readSlowly, selection, standing.after, atOnce)
    if (rows.length === 0) return 'done'
    const provider = await requireProvider(db.read, pluginId, entity, libraryId)
    const { outcomes, count, halt } = await askAll({ entity, provider, rows, libraryId }, context, resources)
    const batch = { entity, provider, libraryId, outcomes, areRequested: ids !== undefined, by }
    if (outcomes.length > 0) waits.inVain = 0
    if (count > 0) {
      const matched = await write((db) => storeOutcomes(db, batch, clock()))
      addTo(figures, { outcomes, count, matched })
      standing.after = rows[count - 1]?.id ?? standing.after
    }
    const current = doneOf(figures)
    context.progress({ current, total: Math.max(current, total), message: provider.displayName })
    if (halt instanceof PluginIsAway) throw halt
    if (halt) return halt
    if (turn.isOver()) return 'turn is over'
  }
}

const doneOf = ({ matched, uncertain, nothing, passedOver }: Figures): number =>
  matched + uncertain + nothing + passedOver

const addTo = (
  figures: Figures,
  { outcomes, count, matched }: { outcomes: readonly Outcome[]; count: number; matched: number },
): void => {
  const countOf = (kind: Outcome['kind']) => outcomes.filter((each) => each.kind === kind).length
  figures.matched += matched
  figures.uncertain += countOf('uncertain')
  figures.nothing += countOf('nothing')
  figures.passedOver += count - outcomes.length
}
