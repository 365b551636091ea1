import type { SidecarTarget } from '@carrel/api'
import type { Generated } from 'kysely'
import type { Flag } from '../../database/flag.ts'

export interface LibraryTables {
  library: {
    id: string
    name: string
    sort_key: string
    description: string | null
    /** JSON. */
    grouping: string
    numbering: 'file_order' | 'metadata' | 'filename' | 'smart'
    title_from: 'filename' | 'metadata' | 'smart'
    /** JSON; null: all. */
    formats: string | null
    /** JSON. */
    exclude: string
    reading_direction: 'ltr' | 'rtl' | 'ttb' | 'webtoon'
    cron: string | null
    time_zone: string | null
    watch: Flag
    /** Read lists and collections are made of what its files say. */
    lists_from_files: Generated<Flag>
    /** Its books were read before anybody asked them for lists. */
    lists_unread: Generated<Flag>
    status: 'available' | 'unavailable'
    book_count: number
    series_count: number
    last_scanned_at: string | null
    /** Hidden with all that is in it, until the same content comes back. */
    deleted_at: string | null
    created_at: string
    updated_at: string
    /** Where what is said of its books is written out, and up to when that has been done. */
    sidecars: Generated<SidecarTarget>
    sidecars_at: string | null
  }
  library_root: {
    id: string
    library_id: string
    position: number
    path: string
    /** Conditions compare this form, which has a slash at its end. */
    path_text: string
    status: 'available' | 'unavailable'
    /** What was there at the last good look, to tell another disk at the same place. */
    device: number | null
    inode: number | null
    checked_at: string | null
    /** No longer a root, but files are known to have been there. */
    removed_at: string | null
  }
}
