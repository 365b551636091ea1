export interface SeriesTables {
  series: {
    id: string
    library_id: string
    /** What the grouping policy knows it by. */
    key: string
    /** As the folder or the file names have it. */
    name: string
    path: string | null
    title: string
    title_sort: string | null
    sort_key: string
    summary: string | null
    publisher: string | null
    year: number | null
    status: 'ongoing' | 'ended' | 'hiatus' | 'abandoned' | 'unknown' | null
    reading_direction: 'ltr' | 'rtl' | 'ttb' | 'webtoon' | null
    language: string | null
    own_age_rating: number | null
    /** Its own, or the highest of its books: what access goes by. */
    age_rating: number | null
    /** JSON: all that is shown of the layers. */
    metadata: string
    /** JSON: the names of locked fields. */
    locks: string
    /** Present books. */
    book_count: number
    max_volume: number | null
    max_chapter: number | null
    volumes_owned: number
    /** What users give it, on average; null as long as nobody has. 1 to 100, as the next. */
    community_rating: number | null
    /** What other services give it, on average. */
    external_rating: number | null
    /** As conditions compare it (`plainText`), as the others of the kind. */
    title_text: string
    title_sort_text: string | null
    summary_text: string | null
    publisher_text: string | null
    language_text: string | null
    path_text: string | null
    total_volume_count: number | null
    first_book_id: string | null
    /** Null: the cover of its first book. */
    cover_id: string | null
    cover_version: number
    created_at: string
    updated_at: string
  }
  /** By what names, folded (`seriesNameKey`), a series may be meant. */
  series_name: { series_id: string; key: string }
  series_sharing_tag: { series_id: string; tag_id: string }
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
