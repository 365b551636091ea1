import { coversOfListMax, type ListAnswer, type MemberCover } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import type { Viewer } from '../../visibility/visibility.ts'
import type { CountedList, ListViewer } from '../kind.ts'
import { type MemberAtAGlance, selectFirstMembers } from './queries.ts'

/** It reads what is drawn of these members, or named. */
export type ReadDrawn<Drawn> = (db: ReadDb, viewer: Viewer, ids: readonly string[]) => Promise<readonly Drawn[]>

export interface ListAtAGlance<Drawn> {
  readonly covers: MemberCover[]
  /** How many of its members the viewer has read, and which comes next; only books are read. */
  readonly readCount: number
  readonly next: Drawn | null
}

/** It takes a handful of statements, however many lists stand on a page; the first of automatic ones are known by now. */
export const glanceAt = async <Drawn extends MemberCover>(
  db: ReadDb,
  { kind, viewer, automaticCounts }: ListViewer,
  { total, data }: ListAnswer<CountedList>,
  readDrawn: ReadDrawn<Drawn>,
): Promise<ListAnswer<{ readonly row: CountedList; readonly glance: ListAtAGlance<Drawn> }>> => {
  const byHand = data.filter(({ condition = null }) => condition === null).map(({ id }) => id)
  const members = await selectFirstMembers(db, { kind, viewer }, byHand, coversOfListMax)
  const fulfilling = ({ condition }: CountedList) => automaticCounts.firsts.get(condition ?? '')
  const shownIds = new Set([...members.map(idOf), ...data.flatMap((row) => fulfilling(row) ?? [])])
  const drawn = new Map((await readDrawn(db, viewer, [...shownIds])).map((each) => [each.id, each]))
  const membersOf = Map.groupBy(members, ({ list_id }) => list_id)
  return {
    total,
    data: data.map((row) => {
      const ofList = membersOf.get(row.id) ?? []
      const first = fulfilling(row) ?? ofList.filter(({ place }) => place <= coversOfListMax).map(idOf)
      const next = ofList.find(({ place, next_place }) => place === next_place)
      return {
        row,
        glance: {
          covers: first.flatMap((id) => coverOf(drawn.get(id))),
          readCount: ofList[0]?.read_count ?? 0,
          next: (next && drawn.get(next.item_id)) ?? null,
        },
      }
    }),
  }
}

const idOf = ({ item_id }: MemberAtAGlance): string => item_id

const coverOf = (member: MemberCover | undefined): MemberCover[] => {
  if (!member) return []
  const { id, coverVersion, placeholder, tone } = member
  return [{ id, coverVersion, placeholder, tone }]
}
