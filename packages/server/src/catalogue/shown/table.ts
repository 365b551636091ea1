import type { FileFormat, fieldsOfBooks, fieldsOfSeries } from '@carrel/api'
import type { Generated } from 'kysely'
import type { FieldColumns } from '../../database/field-row.ts'
import type { Flag } from '../../database/flag.ts'

/** Fields that have a column of their own are not spelled here. */
export interface BookTables {
  book: Omit<FieldColumns<typeof fieldsOfBooks>, 'book_type'> & {
    id: string
    library_id: string
    series_id: string
    /** `hidden`: its library was deleted. */
    state: 'present' | 'missing' | 'hidden'
    missing_since: string | null
    title: string
    sort_key: string
    /** Its place in the series. */
    position_key: string
    number: number | null
    /** What it is put in order by: `number`, unless somebody has said another one. */
    number_sort: number | null
    number_text: string | null
    volume: number | null
    chapter: number | null
    is_special: Flag
    own_age_rating: number | null
    /** What people say of it, and no other source: only that goes before their word on the series. */
    said_age_rating: number | null
    /** What it was rated in the series that it came from: it is rated no lower here until people say otherwise. */
    carried_age_rating: number | null
    /** What access goes by: worked out by `settleRatings` of the three above and the ratings of the series. */
    age_rating: number | null
    /** The field, in any case of its letters. */
    book_type: string | null
    /** `2003`, `2003-08` or `2003-08-27`. */
    released: string | null
    file_sort_key: string
    /** Conditions compare this form (`plainText`), as with the other columns of the kind. */
    title_text: string
    /** Below its root. */
    path_text: string
    format: FileFormat
    size: number
    page_count: number
    analysed: Flag
    /** JSON: all that is shown of the layers. */
    metadata: string
    /** Lists name these of its people (`writersOf`). */
    writers: string | null
    /** JSON: the names of locked fields. */
    locks: string
    cover_id: string | null
    cover_version: number
    /** Thumbhash of the cover, base64. */
    placeholder: string | null
    /** Its colours (`decoders/tone.ts`); empty: it has none, null: nobody has looked. */
    tone: string | null
    created_at: string
    updated_at: string
  }
}
export interface SeriesTables {
  series: FieldColumns<typeof fieldsOfSeries> & {
    id: string
    library_id: string
    /** What the grouping policy knows it by. */
    key: string
    /** The folder or the file names say it so. */
    name: string
    path: string | null
    title: string
    sort_key: string
    own_age_rating: number | null
    /** What people say of it, and no other source: their word goes before what files say of its books. */
    said_age_rating: number | null
    /** Its own, or the highest of its books: what access goes by. */
    age_rating: number | null
    /** The highest rating of its present books, where that is above its own: who sees it without those is shown `series_in_part`. */
    strictest_rating: number | null
    /** JSON: all that is shown of the layers. */
    metadata: string
    /** Lists name these of its people (`writersOf`). */
    writers: string | null
    /** JSON: the names of locked fields. */
    locks: string
    /** Present books. */
    book_count: number
    max_volume: number | null
    max_chapter: number | null
    volumes_owned: number
    /** How many numbers and volumes are not there between those that are, or up to the total (gaps.ts). */
    missing_count: Generated<number>
    /** How many numbers there should be, where somebody says so. */
    number_total: number | null
    /** What users give it, on average; null as long as nobody has. 1 to 100, as the next. */
    community_rating: number | null
    /** What other services give it, on average. */
    external_rating: number | null
    /** Conditions compare this form (`plainText`), as with the other columns of the kind. */
    title_text: string
    path_text: string | null
    first_book_id: string | null
    /** When the first of its present books came out, as far as that is said. */
    first_released: string | null
    /** Null: the cover of its first book. */
    cover_id: string | null
    cover_version: number
    created_at: string
    updated_at: string
  }
  /** What is shown of a series to whoever sees it without some of its books: from one rating up to another, from which more is seen. */
  series_in_part: FieldColumns<typeof fieldsOfSeries> & {
    series_id: string
    from_rating: number
    below_rating: number
    title: string
    title_text: string
    /** JSON, as in the series. */
    metadata: string
    /** JSON: the layers that come from the books that are seen. */
    derived: string
    writers: string | null
    number_total: number | null
  }
  /** What a book says of its series (C20), and in which it is counted; null: in none, since it is not there. */
  book_claim: { book_id: string; claims: string; counted_in: string | null }
  /** How many present books of a series claim a value of a field; the value is JSON. */
  series_claim: { series_id: string; field: string; value: string; books: number }
  /** By what names, folded (`seriesNameKey`), a series may be meant. */
  series_name: { series_id: string; key: string }
  series_sharing_tag: { series_id: string; tag_id: string }
  /** Where people have put a book, or what comes into a folder, whatever the grouping says (C22). */
  series_override: {
    id: string
    library_id: string
    /** Null: it is of a folder. */
    book_id: string | null
    /** Below its root, with a slash at the end; null: it is of a book. */
    folder: string | null
    series_id: string
    /** Where the folder was before it was found here; what comes from there was in it. */
    folder_before: string | null
    /** The override of the folder by which the book has come. */
    through_id: string | null
    at: string
    by_user_id: string | null
  }
  /** Whatever a library's grouping knows by this key has been made part of another series, for good (LIB-2). */
  series_merge: {
    library_id: string
    key: string
    into_series_id: string
    at: string
    by_user_id: string | null
    /** The series it was the key of before anything was merged. Null: merged before that was kept. */
    part_id: string | null
  }
}
