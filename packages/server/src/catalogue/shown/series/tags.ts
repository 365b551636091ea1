import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { selectGrantedTags } from '../../visibility/visibility.ts'
import { insertSharingTags } from './merges/queries.ts'
import { selectTagIds } from './queries.ts'

interface Move {
  readonly from: string
  readonly to: string
}

/** By series that took part in a move: the tags they carried before, sorted. */
export type TagsBefore = ReadonlyMap<string, readonly string[]>

/**
 * Books go from one series to another, which carries the tags of the first from now on: moving loosens nothing (W9). But not
 * tags by which people are let in and nobody is kept out, which would show them all else that is in it.
 */
export const carryTags = async (db: WriteDb, moves: readonly Move[]): Promise<TagsBefore> => {
  const ways = waysOf(moves)
  if (ways.length === 0) return new Map()
  const seriesIds = [...new Set(ways.flatMap(({ from, to }) => [from, to]))]
  const tagsOf = await selectTagIds(db, seriesIds)
  const before = new Map(seriesIds.map((id) => [id, tagsOf(id)]))
  const carried = [...new Set(ways.flatMap(({ from }) => tagsOf(from)))]
  if (carried.length === 0) return before
  const safe = new Set(await safeTags(db, carried))
  for (const [to, from] of Map.groupBy(ways, (way) => way.to)) {
    const more = from.flatMap((way) => tagsOf(way.from)).filter((tag) => safe.has(tag) && !tagsOf(to).includes(tag))
    await insertSharingTags(db, to, [...new Set(more)])
  }
  return before
}

/** It leaves out the tags by which people are let in and nobody is kept out. */
export const safeTags = async (db: ReadDb, tagIds: readonly string[]): Promise<readonly string[]> => {
  const letsIn = new Set(await selectGrantedTags(db, tagIds, ['allow']))
  const keepsOut = new Set(await selectGrantedTags(db, tagIds, ['deny']))
  return tagIds.filter((tag) => keepsOut.has(tag) || !letsIn.has(tag))
}

/** Ten thousand books mostly go one way. */
const waysOf = (moves: readonly Move[]): readonly Move[] => {
  const targetsOf = new Map<string, Set<string>>()
  for (const { from, to } of moves) {
    const targets = targetsOf.get(from)
    if (targets) targets.add(to)
    else targetsOf.set(from, new Set([to]))
  }
  return [...targetsOf].flatMap(([from, targets]) => [...targets].map((to) => ({ from, to })))
}
