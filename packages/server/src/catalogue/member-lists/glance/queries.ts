import { sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { isOneOf } from '../../../filtering/filtering.ts'
import { listedTo, readerOf } from '../../visibility/visibility.ts'
import type { ListViewer } from '../kind.ts'
import { namesOf } from '../queries.ts'

export interface MemberAtAGlance {
  readonly list_id: string
  readonly item_id: string
  /** Its place among what this viewer sees of the list, from 1. */
  readonly place: number
  readonly read_count: number
  /** Null: all of it has been read. */
  readonly next_place: number | null
}

/** Series are read a book at a time: how far somebody is in them is told elsewhere. */
const ofReader = ({ kind, viewer }: Pick<ListViewer, 'kind' | 'viewer'>) =>
  kind.content === 'book'
    ? {
        join: sql`left join read_progress on read_progress.book_id = book.id and read_progress.user_id = ${readerOf(viewer)}`,
        isRead: sql`coalesce(read_progress.completed, 0)`,
        isOpen: sql`case when read_progress.completed = 1 and read_progress.rereading = 0 then 0 else 1 end`,
      }
    : { join: sql``, isRead: sql`0`, isOpen: sql`0` }

/** The first members of each of these lists in the order it is shown in, and the one its reader comes to next. */
export const selectFirstMembers = async (
  db: ReadDb,
  listViewer: Pick<ListViewer, 'kind' | 'viewer'>,
  ids: readonly string[],
  most: number,
): Promise<readonly MemberAtAGlance[]> => {
  if (ids.length === 0) return []
  const { kind, viewer } = listViewer
  const { list, listId, member, ofList, itemId, position, content, contentId } = namesOf(kind)
  const { join, isRead, isOpen } = ofReader(listViewer)
  const query = sql<MemberAtAGlance>`with members as (
      select ${ofList} as list_id, ${contentId} as item_id, ${isRead} as is_read, ${isOpen} as is_open,
        row_number() over (partition by ${ofList} order by
          case when ${sql.ref(`${kind.table}.ordered`)} = 1 then ${position} end,
          ${sql.ref(`${kind.content}.sort_key`)} nulls last, ${contentId}) as place
      from ${member} inner join ${list} on ${listId} = ${ofList} inner join ${content} on ${contentId} = ${itemId} ${join}
      where ${isOneOf(ofList, ids)} and ${listedTo(viewer, kind.content)}
    ), figures as (
      select list_id, item_id, place, sum(is_read) over (partition by list_id) as read_count,
        min(case when is_open = 1 then place end) over (partition by list_id) as next_place
      from members
    )
    select list_id, item_id, place, read_count, next_place from figures
    where place <= ${most} or place = next_place order by list_id, place`
  return (await query.execute(db)).rows
}
