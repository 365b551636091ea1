import { coversOfListMax, type ListAnswer, type MemberCover } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { firstOfAutomaticOnes } from '../automatic.ts'
import type { CountedList, ListViewer } from '../kind.ts'
import { these } from '../queries.ts'
import { type MemberAtAGlance, selectFirstMembers } from './queries.ts'

export interface ListAtAGlance<Member> {
  readonly covers: MemberCover[]
  /** How many of its members the viewer has read, and which comes next; only books are read. */
  readonly readCount: number
  readonly next: Member | null
}

/** It takes a handful of statements, however many lists stand on a page. */
export const glanceAt = async <Member extends MemberCover>(
  db: ReadDb,
  listViewer: ListViewer<unknown, Member>,
  { total, data }: ListAnswer<CountedList>,
): Promise<ListAnswer<{ readonly row: CountedList; readonly glance: ListAtAGlance<Member> }>> => {
  const byHand = data.filter(({ condition = null }) => condition === null)
  const members = await selectFirstMembers(db, listViewer, idsOf(byHand), coversOfListMax)
  const fulfilling = await firstOfAutomaticOnes(db, listViewer, data, coversOfListMax)
  const shownIds = new Set([...members.map(({ item_id }) => item_id), ...[...fulfilling.values()].flat()])
  const shown = await listViewer.kind.show(db, listViewer.viewer, these(listViewer.kind, [...shownIds]))
  const byId = new Map(shown.map((each) => [each.id, each]))
  const membersOf = Map.groupBy(members, ({ list_id }) => list_id)
  return {
    total,
    data: data.map((row) => {
      const ofList = membersOf.get(row.id) ?? []
      const first =
        fulfilling.get(row.condition ?? '') ?? ofList.filter(({ place }) => place <= coversOfListMax).map(idOf)
      const next = ofList.find(({ place, next_place }) => place === next_place)
      return {
        row,
        glance: {
          covers: first.flatMap((id) => coverOf(byId.get(id))),
          readCount: ofList[0]?.read_count ?? 0,
          next: (next && byId.get(next.item_id)) ?? null,
        },
      }
    }),
  }
}

const idOf = ({ item_id }: MemberAtAGlance): string => item_id
const idsOf = (rows: readonly CountedList[]): string[] => rows.map(({ id }) => id)

const coverOf = (member: MemberCover | undefined): MemberCover[] => {
  if (!member) return []
  const { id, coverVersion, placeholder, tone } = member
  return [{ id, coverVersion, placeholder, tone }]
}
