import type { Tables } from '../table-definition.ts'

const shown = 'book_count > 0'
const present = "state = 'present'"
const missing = "state = 'missing'"

export const catalogue: Tables = {
  series: {
    columns: {
      id: 'text',
      library_id: 'text',
      // What the grouping policy knows it by.
      key: 'text',
      // The name that the folder or the file names have.
      name: 'text',
      path: 'text?',
      title: 'text',
      title_sort: 'text?',
      sort_key: 'text',
      summary: 'text?',
      publisher: 'text?',
      year: 'integer?',
      status: 'text?',
      reading_direction: 'text?',
      language: 'text?',
      own_age_rating: 'integer?',
      // Its own, or the highest of its books: what access goes by.
      age_rating: 'integer?',
      // JSON: all that is shown of the layers.
      metadata: 'text',
      locks: 'text',
      book_count: 'integer',
      max_volume: 'integer?',
      max_chapter: 'real?',
      volumes_owned: 'integer',
      first_book_id: 'text?',
      cover_id: 'text?',
      cover_version: 'integer',
      created_at: 'text',
      updated_at: 'text',
      community_rating: 'real?',
      external_rating: 'real?',
      title_text: { type: 'text', default: '' },
      title_sort_text: 'text?',
      summary_text: 'text?',
      publisher_text: 'text?',
      language_text: 'text?',
      path_text: 'text?',
      total_volume_count: 'integer?',
      // What people have said goes before what the files say.
      said_age_rating: 'integer?',
      first_released: 'text?',
    },
    primaryKey: ['id'],
    unique: { series_key: ['library_id', 'key'] },
    foreignKeys: { series_library: ['library_id', 'library'] },
    indexes: {
      series_by_creation: { columns: ['created_at', 'id'], where: shown },
      series_by_change: { columns: ['updated_at', 'id'], where: shown },
      // Orders are kept for each library: what is seen of several is merged. A list of all would be a second index
      // for each order.
      series_of_library_by_creation: { columns: ['library_id', 'created_at', 'id'], where: shown },
      series_of_library_by_change: { columns: ['library_id', 'updated_at', 'id'], where: shown },
      series_of_library_by_year: { columns: ['library_id', 'year', 'id'], where: shown },
      series_of_library_by_community_rating: { columns: ['library_id', 'community_rating', 'id'], where: shown },
      series_of_library_by_external_rating: { columns: ['library_id', 'external_rating', 'id'], where: shown },
      // It is not the column itself: SQLite would rather look there for those above 0, whatever order is wanted.
      series_of_library_by_books: { columns: ['library_id', '(book_count + 0)', 'id'], where: shown },
      // What ids end in is chance.
      series_of_library_by_chance: { columns: ['library_id', 'substr(id, 25)', 'id'], where: shown },
      series_by_letter: { columns: ['substr(sort_key, 1, 1)', 'library_id'], where: shown },
      // Both orders by name are unique, which they are with the id: only then does SQLite take the books of one
      // series after those of another without sorting them.
      series_by_name: { columns: ['sort_key', 'id'], where: shown, unique: true },
      series_of_library_by_name: { columns: ['library_id', 'sort_key', 'id'], where: shown, unique: true },
      // What most conditions and all rules of access ask of a series: read through, it takes a tenth of what the rows
      // take. There is no other text in it, for PostgreSQL takes less than three kilobytes a row. No library stands
      // first: no planner takes it for a way to the series of one in another order.
      series_to_filter: {
        columns: [
          'title_text',
          'year',
          'status',
          'total_volume_count',
          'community_rating',
          'created_at',
          'library_id',
          'age_rating',
          'book_count',
          'id',
        ],
        where: shown,
      },
      // It is only for who says that the id is not empty: any other question of a library would be read through it,
      // and sorted.
      series_of_library: { columns: ['library_id', 'id'], where: "book_count > 0 and id > ''" },
      series_of_library_by_release: { columns: ['library_id', 'first_released', 'id'], where: shown },
    },
  },
  // What a series may be meant by in the lists of other programs.
  series_name: {
    columns: { series_id: 'text', key: 'text' },
    primaryKey: ['series_id', 'key'],
    foreignKeys: { series_name_of: ['series_id', 'series', 'cascade'] },
    indexes: { series_name_by_key: ['key', 'series_id'] },
  },
  series_sharing_tag: {
    columns: { series_id: 'text', tag_id: 'text' },
    primaryKey: ['series_id', 'tag_id'],
    foreignKeys: {
      series_sharing_tag_series: ['series_id', 'series', 'cascade'],
      series_sharing_tag_tag: ['tag_id', 'sharing_tag', 'cascade'],
    },
    indexes: { series_sharing_tag_by_tag: ['tag_id'] },
  },
  book: {
    columns: {
      id: 'text',
      library_id: 'text',
      series_id: 'text',
      state: 'text',
      missing_since: 'text?',
      title: 'text',
      title_sort: 'text?',
      sort_key: 'text',
      // Its place in the series.
      position_key: 'text',
      number: 'real?',
      number_text: 'text?',
      volume: 'integer?',
      chapter: 'real?',
      is_special: 'integer',
      summary: 'text?',
      reading_direction: 'text?',
      own_age_rating: 'integer?',
      // Its own, or the series': what access goes by.
      age_rating: 'integer?',
      format: 'text',
      size: 'integer',
      page_count: 'integer',
      analysed: 'integer',
      metadata: 'text',
      locks: 'text',
      cover_id: 'text?',
      cover_version: 'integer',
      // Thumbhash of the cover, base64.
      placeholder: 'text?',
      created_at: 'text',
      updated_at: 'text',
      book_type: 'text?',
      // A year, a month or a day, as far as it is known.
      released: 'text?',
      // The order of file names.
      file_sort_key: { type: 'text', default: '' },
      title_text: { type: 'text', default: '' },
      title_sort_text: 'text?',
      summary_text: 'text?',
      path_text: { type: 'text', default: '' },
      said_age_rating: 'integer?',
      carried_age_rating: 'integer?',
      // What people have said it is put in order by, else its number.
      number_sort: 'real?',
    },
    primaryKey: ['id'],
    foreignKeys: { book_library: ['library_id', 'library'], book_series: ['series_id', 'series'] },
    indexes: {
      book_by_title: { columns: ['sort_key', 'id'], where: present },
      book_of_library_by_title: { columns: ['library_id', 'sort_key', 'id'], where: present },
      book_by_creation: { columns: ['created_at', 'id'], where: present },
      book_by_change: { columns: ['updated_at', 'id'], where: present },
      book_missing: { columns: ['library_id', 'missing_since', 'id'], where: missing },
      book_of_library_by_creation: { columns: ['library_id', 'created_at', 'id'], where: present },
      book_of_library_by_change: { columns: ['library_id', 'updated_at', 'id'], where: present },
      // These are nearly empty, as missing books are few: a list that shows them too is merged from two.
      book_missing_by_title: { columns: ['sort_key', 'id'], where: missing },
      book_missing_by_creation: { columns: ['created_at', 'id'], where: missing },
      book_missing_by_change: { columns: ['updated_at', 'id'], where: missing },
      book_missing_of_library_by_title: { columns: ['library_id', 'sort_key', 'id'], where: missing },
      book_missing_of_library_by_creation: { columns: ['library_id', 'created_at', 'id'], where: missing },
      book_missing_of_library_by_change: { columns: ['library_id', 'updated_at', 'id'], where: missing },
      book_hidden: { columns: ['library_id', 'id'], where: "state = 'hidden'" },
      book_of_library_by_release: { columns: ['library_id', 'released', 'id'], where: present },
      book_of_library_by_size: { columns: ['library_id', 'size', 'id'], where: present },
      book_of_library_by_file_name: { columns: ['library_id', 'file_sort_key', 'id'], where: present },
      book_of_library_by_pages: { columns: ['library_id', 'page_count', 'id'], where: present },
      // What ids end in is chance.
      book_of_library_by_chance: { columns: ['library_id', 'substr(id, 25)', 'id'], where: present },
      // What most conditions and all rules of access ask of a book: read through, it takes a tenth of what the rows
      // take. Nobody looks for a whole title, so that no planner takes it for a way to the rows in another order.
      book_to_filter: {
        columns: [
          'library_id',
          'title_text',
          'format',
          'age_rating',
          'page_count',
          'created_at',
          'book_type',
          'series_id',
          'id',
        ],
        where: present,
      },
      // The state is in it, so that far down a list the rows need not be looked at.
      book_of_series: ['series_id', 'position_key', 'id', 'state'],
      // It has what most rules of access ask, so that the rows need not be looked at; and is only for whoever says
      // that there is a key, which is always so: no planner takes it for a way to all books.
      book_by_letter: {
        columns: ['substr(sort_key, 1, 1)', 'library_id', 'age_rating'],
        where: "state = 'present' and sort_key >= ''",
      },
      // Long texts are looked through for a part, and nothing else is in these that is not needed for it.
      book_path_to_filter: { columns: ['path_text', 'state', 'id'], isLong: true },
      book_summary_to_filter: { columns: ['summary_text', 'title_sort_text', 'state', 'id'], isLong: true },
      // It is not of present ones alone: SQLite takes an index for all that is asked only if it has the state as
      // well.
      book_in_short: [
        'id',
        'state',
        'series_id',
        'library_id',
        'age_rating',
        'page_count',
        'format',
        'book_type',
        'created_at',
      ],
      // It is only for who says that the id is not empty, as that of series.
      book_of_library: { columns: ['library_id', 'id'], where: "state = 'present' and id > ''" },
      book_of_library_by_number: { columns: ['library_id', 'number_sort', 'id'], where: present },
    },
  },
}
