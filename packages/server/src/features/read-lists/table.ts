import type { Generated } from 'kysely'
import type { Flag } from '../../database/flag.ts'

export interface ReadListTables {
  read_list: {
    id: string
    name: string
    name_key: string
    sort_key: string
    summary: string | null
    ordered: Flag
    created_at: string
    updated_at: string
    /** Files name it by this key; null: people have made it. */
    files_key: string | null
    /** It holds what files say. */
    follows_files: Generated<Flag>
  }
  /** A place in a list: of a book, or of one that is not there yet. */
  read_list_book: {
    id: string
    read_list_id: string
    book_id: string | null
    position: number
    added_at: string
    /** The imported list has this name for the series. */
    wanted_series: string | null
    wanted_series_key: string | null
    wanted_number: string | null
    wanted_volume: string | null
    wanted_year: string | null
  }
  /** When a book last came, left or was moved. It outlives its place in the list. */
  read_list_book_change: { read_list_id: string; book_id: string; changed_at: string }
}
