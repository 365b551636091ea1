import type { SeriesCondition } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { fieldsIn, compileCondition, requireCondition } from '../../filtering/filtering.ts'
import { invalid } from '../../platform/errors.ts'
import type { CountedList, ListKind, ListRow, ListViewer } from './kind.ts'
import { type Fulfilling, selectConditions, selectFiguresOfFulfilling, selectFulfilled } from './queries.ts'

const targets = { series: 'series', book: 'books' } as const

type KindAndViewer = Pick<ListViewer, 'kind' | 'viewer'>

export const isAutomatic = ({ condition = null }: Pick<ListRow, 'condition'>): boolean => condition !== null

/** It checks the condition of an automatic list, and returns it is stored. */
export const requireOwnCondition = ({ name, content }: ListKind, json: unknown): string => {
  const condition = requireCondition(targets[content], json, '/condition')
  const fields = fieldsIn(condition)
  if (fields.size === 0) throw invalid('/condition', `An automatic ${name} needs a condition with at least one field.`)
  // A list that depends on another one could go round in circles.
  if (fields.has('inCollection'))
    throw invalid('/condition', `The condition of a ${name} must not ask for inCollection.`)
  return JSON.stringify(condition)
}

export const conditionOf = ({ kind, viewer }: KindAndViewer, text: string): RawBuilder<boolean> =>
  compileCondition(JSON.parse(text) as SeriesCondition, { target: targets[kind.content], viewer })

/** It finds the automatic ones among these lists, with what their members fulfil for this viewer. */
export const conditionsBehind = async (
  db: ReadDb,
  looker: KindAndViewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RawBuilder<boolean>>> => {
  const rows = await selectConditions(db, looker.kind, ids)
  return new Map(rows.map(({ id, condition }) => [id, conditionOf(looker, condition ?? '')]))
}

/** Values of all that is asked in one statement: both databases take more, but not without end. */
const valuesMax = 20_000

/** One statement asks for as many as it can hold; all of an ordinary shelf. */
const inStatements = (
  looker: KindAndViewer,
  lists: readonly Pick<ListRow, 'id' | 'condition'>[],
): readonly (readonly Fulfilling[])[] => {
  const { deletedLibraries, rule } = looker.viewer
  const { libraries, allowTags, denyTags } = rule
  const ofViewer =
    20 + 2 * (libraries === 'all' ? deletedLibraries.length : libraries.length) + allowTags.length + denyTags.length
  const parts: Fulfilling[][] = []
  let left = 0
  for (const { id, condition = null } of lists) {
    if (condition === null) continue
    // Every value of a condition stands before a comma or a bracket; it may be asked for its count and for its first members.
    const cost = 2 * (ofViewer + condition.split(/[,}\]]/).length)
    if (cost > left) {
      parts.push([])
      left = valuesMax
    }
    left -= cost
    parts.at(-1)?.push({ id, holds: conditionOf(looker, condition) })
  }
  return parts
}

/** Automatic lists that this viewer sees something in. */
export const fulfilledFor = async (db: ReadDb, listViewer: ListViewer): Promise<readonly string[]> => {
  listViewer.automaticCounts.fulfilled ??= await fulfilledBy(db, listViewer)
  return listViewer.automaticCounts.fulfilled
}

/** It returns the automatic lists that this is in, or anything. */
export const fulfilledBy = async (db: ReadDb, looker: KindAndViewer, itemId?: string): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const part of inStatements(looker, await selectConditions(db, looker.kind)))
    ids.push(...(await selectFulfilled(db, looker, part, itemId)))
  return ids
}

/**
 * It adds the number of members that a viewer sees in the automatic ones among these, and learns the first of them where
 * that is wanted; what is cached is not asked for again.
 */
export const countAutomaticOnes = async (
  db: ReadDb,
  listViewer: ListViewer,
  rows: readonly CountedList[],
  firstMax = 0,
): Promise<CountedList[]> => {
  const { counts, firsts } = listViewer.automaticCounts
  const isKnown = (condition: string): boolean => counts.has(condition) && (firstMax === 0 || firsts.has(condition))
  const unknown = rows.filter(({ condition = null }) => condition !== null && !isKnown(condition))
  const conditions = new Map(unknown.map(({ id, condition }) => [id, condition ?? '']))
  for (const part of inStatements(listViewer, unknown))
    for (const [id, { count, firstIds }] of await selectFiguresOfFulfilling(db, listViewer, part, firstMax)) {
      const condition = conditions.get(id) ?? ''
      counts.set(condition, count)
      if (firstMax > 0) firsts.set(condition, firstIds)
    }
  return rows.map((row) => ({ ...row, member_count: counts.get(row.condition ?? '') ?? row.member_count }))
}
