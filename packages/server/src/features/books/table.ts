import type { FileFormat } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface BookTables {
  book: {
    id: string
    library_id: string
    series_id: string
    /** `hidden`: its library was deleted. */
    state: 'present' | 'missing' | 'hidden'
    missing_since: string | null
    title: string
    title_sort: string | null
    sort_key: string
    /** Its place in the series. */
    position_key: string
    number: number | null
    number_text: string | null
    volume: number | null
    chapter: number | null
    is_special: Flag
    summary: string | null
    reading_direction: 'ltr' | 'rtl' | 'ttb' | 'webtoon' | null
    own_age_rating: number | null
    /** Its own, or the series': what access goes by. */
    age_rating: number | null
    /** As somebody says: comic, manga, novel … */
    book_type: string | null
    /** `2003`, `2003-08` or `2003-08-27`. */
    released: string | null
    file_sort_key: string
    /** As conditions compare it (`plainText`), as the others of the kind. */
    title_text: string
    title_sort_text: string | null
    summary_text: string | null
    /** Below its root. */
    path_text: string
    format: FileFormat
    size: number
    page_count: number
    analysed: Flag
    /** JSON: all that is shown of the layers. */
    metadata: string
    /** JSON: the names of locked fields. */
    locks: string
    cover_id: string | null
    cover_version: number
    /** Thumbhash of the cover, base64. */
    placeholder: string | null
    created_at: string
    updated_at: string
  }
}
