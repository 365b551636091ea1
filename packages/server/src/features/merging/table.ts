import type { Generated } from 'kysely'
import type { Flag } from '../../database/flag.ts'

export interface MergingTables {
  merge: {
    id: string
    /** `file`: further files of a book, which were never books of their own. */
    entity: 'series' | 'book' | 'file'
    library_id: string
    /** The one that stayed. */
    into_id: string
    at: string
    by_user_id: string | null
    undone_at: string | null
  }
  /** What a merge has changed, as it was before; in the order in which it was kept. */
  merge_row: {
    merge_id: string
    number: number
    kind: string
    /** Whose it was: it goes with them. */
    user_id: string | null
    /** JSON. */
    content: string
  }
  /** Books that came into a series with one that has become part of it. */
  merged_series_book: { merge_id: string; book_id: string; series_id: string }
  /** Books that have become part of another one. They are hidden; their files are known to every scan. */
  book_merge: {
    book_id: string
    into_book_id: string
    merge_id: string
    /** It lies beside the other one, in another format (C21): it is part of it as long as it lies there. */
    is_format: Generated<Flag>
  }
  /** Books that people have made books of their own again: no scan makes them files of another. */
  book_apart: { book_id: string; at: string }
  /** Books that somebody has put elsewhere at once, or back: a move, a split, an override that was removed, or one of these undone. */
  series_move: {
    id: string
    library_id: string
    at: string
    by_user_id: string | null
    /** It has put back what another one had moved. */
    is_back: Flag
    /** The one that has put its books back. */
    undone_by: string | null
    /** JSON: what else it has changed (`AlsoChanged`). */
    kept: string
  }
  series_move_book: {
    move_id: string
    book_id: string
    from_series_id: string
    /** Null: the book has stayed, and carries the rating that its series had. */
    into_series_id: string | null
    /** JSON: the override it had before; null: it had none. */
    override_before: string | null
    carried_before: number | null
    carried_after: number | null
  }
  /** Lines of the history of series that stand for a merge or a move, and are taken back with it. */
  history_act: { history_id: string; merge_id: string | null; move_id: string | null }
}
