import type { Access, Role } from '@carrel/api'
import type { Database } from '../src/database/database.ts'
import { insertMany } from '../src/database/many.ts'
import { maySee } from '../src/features/access/access.ts'
import { type ViewRule } from '../src/catalogue/visibility/visibility.ts'
import { recountSeries } from '../src/features/reading/reading.ts'
import { addBooks, addLibrary, addSeries } from './content.ts'
import { recommendAll } from './visible-recommendations.ts'
import { addShelves, hiddenFrom, shelvedFrom } from './shelves.ts'
import { tellOf } from './visible-told.ts'

/** Ids that are the same in every database of these tests. */
const idKinds = [
  'library',
  'root',
  'series',
  'book',
  'file',
  'tag',
  'group',
  'term',
  'duplicates',
  'merge',
  'arrival',
  'notification',
  'plugin',
  'match',
  'override',
] as const
export const idOf = (kind: (typeof idKinds)[number], number: number): string => {
  const kinds: readonly string[] = idKinds
  return `019aa3b2-${kinds.indexOf(kind).toString(16)}000-7000-8000-${String(number).padStart(12, '0')}`
}

export const manga = idOf('library', 1)
export const comics = idOf('library', 2)
const family = idOf('tag', 1)
const secret = idOf('tag', 2)
const circle = idOf('group', 1)

interface WrittenBook {
  readonly rating: number | null
  readonly isMissing?: boolean
}

interface WrittenSeries {
  readonly library: string
  readonly rating: number | null
  readonly tags: readonly string[]
  readonly books: readonly WrittenBook[]
  /** What is shown of it is what its books say. */
  readonly isTold?: true
}

const book = (rating: number | null): WrittenBook => ({ rating })
const missing = (rating: number | null): WrittenBook => ({ rating, isMissing: true })

/** Every way in which something can be hidden beside something that is not. */
export const world: readonly WrittenSeries[] = [
  { library: manga, rating: 6, tags: [family], books: [book(6), book(18), book(6), missing(6), missing(18)] },
  { library: manga, rating: 18, tags: [family], books: [book(18), book(6)] },
  { library: manga, rating: null, tags: [family], books: [book(null), book(null)] },
  { library: manga, rating: 6, tags: [], books: [book(6)] },
  { library: manga, rating: 6, tags: [family, secret], books: [book(6), missing(6)] },
  { library: manga, rating: 6, tags: [family], books: [book(18), book(18)] },
  { library: manga, rating: 12, tags: [secret], books: [book(12)] },
  { library: comics, rating: 6, tags: [family], books: [book(6), book(6)] },
  { library: comics, rating: null, tags: [], books: [book(null)] },
  {
    library: manga,
    rating: 6,
    tags: [family],
    books: [book(18), book(6), book(14), book(6), missing(6)],
    isTold: true,
  },
]

interface Seer {
  readonly role: Role
  readonly access: Partial<Access>
  /** It is the resulting rule. */
  readonly rule: ViewRule
}

export const everything: ViewRule = {
  libraries: 'all',
  ageCeiling: null,
  includeUnrated: false,
  allowTags: [],
  denyTags: [],
}

export const seers: Readonly<Record<string, Seer>> = {
  'one library and an age': {
    role: 'reader',
    access: { libraries: [manga], ageCeiling: 12 },
    rule: { ...everything, libraries: [manga], ageCeiling: 12 },
  },
  'an age that lets unrated works show': {
    role: 'reader',
    access: { ageCeiling: 12, includeUnrated: true },
    rule: { ...everything, ageCeiling: 12, includeUnrated: true },
  },
  'a white list, for somebody who edits': {
    role: 'editor',
    access: { allowTags: [family] },
    rule: { ...everything, allowTags: [family] },
  },
  'a tag that is denied': {
    role: 'reader',
    access: { denyTags: [secret] },
    rule: { ...everything, denyTags: [secret] },
  },
  'a group': {
    role: 'reader',
    access: { groups: [circle] },
    rule: { libraries: [manga], ageCeiling: 16, includeUnrated: true, allowTags: [family], denyTags: [secret] },
  },
  'no library at all': { role: 'reader', access: { libraries: [] }, rule: { ...everything, libraries: [] } },
}

export const sees = (rule: ViewRule, { library, tags }: WrittenSeries, ageRating: number | null): boolean =>
  maySee(rule, { libraryId: library, content: { ageRating, sharingTags: tags } })

/** The world, or what is left of it for somebody from whom the rest is hidden. */
export const build = async (db: Database, rule: ViewRule): Promise<void> => {
  await addAccess(db)
  for (const [libraryNumber, id] of [manga, comics].entries()) {
    if (!maySee(rule, { libraryId: id })) continue
    const name = `Library ${libraryNumber + 1}`
    const library = await addLibrary(db, { id, name, path: `/data/${name}`, rootId: idOf('root', libraryNumber) })
    for (const [number, written] of world.entries()) {
      if (written.library !== id) continue
      const visible = [...written.books.entries()].filter(([, { rating }]) => sees(rule, written, rating))
      // A book may show although its series does not: all that is told of the book would be the same if that were another one.
      const isShown = sees(rule, written, written.rating)
      if (visible.length === 0 && !isShown) continue
      const row = {
        id: idOf('series', isShown ? number : hiddenFrom + number),
        title: `Series ${number}${isShown ? '' : ' hides'}`,
        age_rating: written.rating,
        year: number % 3 === 0 ? null : 2000 + (number % 4),
        publisher: number % 2 === 0 ? 'Even' : 'Odd',
        total_volume_count: 2,
      }
      const series = await addSeries(db, library, { ...row, sharingTags: written.tags })
      const bookIds = await addBooks(
        db,
        series,
        visible.map(([index, { rating, isMissing }]) => ({
          id: idOf('book', number * 10 + index),
          title: `Series ${number} ${index + 1}`,
          file: { id: idOf('file', number * 10 + index) },
          number: index + 1,
          volume: index + 1,
          age_rating: rating,
          cover_version: index,
          placeholder: `cover ${index}`,
          ...(isMissing && { state: 'missing' as const }),
        })),
      )
      if (!written.isTold) await addTerms(db, number, { seriesId: series.id, bookIds })
      else await tellOf(db, toldOf(series.id, number, visible), (number) => idOf('term', number))
      // KOReader knows the books by these digests.
      const prints = bookIds.map((id) => ({ kind: 'koreader' as const, value: id, book_id: id, at: '' }))
      await db.write((db) => insertMany(db, 'book_fingerprint', prints))
    }
  }
  await addDuplicates(db)
  await addMerges(db)
  await addOverrides(db)
  await addMatches(db)
  await addShelves(db, shelved(rule))
}

const toldOf = (id: string, number: number, books: readonly (readonly [number, WrittenBook])[]) => ({
  id,
  rating: world[number]?.rating ?? 0,
  books: books.map(([index, { rating }]) => ({ id: idOf('book', number * 10 + index), index, rating: rating ?? 0 })),
})

/** The world as shelves see it: what there is of it for a rule, and whether it stands in lists. */
export const shelved = (rule: ViewRule) =>
  shelvedFrom(world, idOf, (written: WrittenSeries, rating) => sees(rule, written, rating))

/**
 * Series and books are named by their places in the world; the last of each group has been dismissed, as far as that
 * goes.
 */
const alike = {
  series: [
    [0, 1, 3],
    [4, 6],
    [0, 5],
    [2, 3],
    [0, 7],
    [3, 8],
    [0, 2],
    [0, 4],
  ],
  books: [
    [0, 1, 2],
    [10, 11],
    [0, 10],
    [2, 70],
    [3, 4],
    [20, 30],
    [50, 51],
    [0, 2, 40],
  ],
} as const

const addDuplicates = async (db: Database): Promise<void> => {
  const at = '2026-11-01T10:00:00.000Z'
  const there = {
    series: new Set((await db.read.selectFrom('series').select('id').execute()).map(({ id }) => id)),
    books: new Set((await db.read.selectFrom('book').select('id').execute()).map(({ id }) => id)),
  }
  const groupOf = (of: 'series' | 'books', index: number) => ({
    id: idOf('duplicates', index + (of === 'series' ? 0 : 100)),
    match_type: of === 'books' ? ('content' as const) : index % 2 === 0 ? ('title' as const) : ('external_id' as const),
    scope: of === 'series' && index % 2 === 0 ? manga : '',
    key: `key ${index}`,
    created_at: at,
  })
  const membersOf = (of: keyof typeof alike) =>
    alike[of].flatMap((numbers, index) =>
      numbers
        .map((number) => ({ id: idOf(of === 'series' ? 'series' : 'book', number), isLast: number === numbers.at(-1) }))
        .filter(({ id }) => there[of].has(id))
        .map(({ id, isLast }) => ({
          group_id: groupOf(of, index).id,
          id,
          joined_at: groupOf(of, index).created_at,
          // All members of the last group are dismissed, and all but one of the group before it.
          dismissed: index === alike[of].length - 1 || (index === alike[of].length - 2 && !isLast) ? 1 : 0,
        })),
    )
  await db.write(async (db) => {
    for (const kind of ['series', 'books'] as const)
      await insertMany(
        db,
        'duplicate_group',
        alike[kind].map((_, index) => groupOf(kind, index)),
      )
    await insertMany(
      db,
      'duplicate_series',
      membersOf('series').map(({ id, ...row }) => ({ ...row, series_id: id, dismissed: row.dismissed as 0 | 1 })),
    )
    await insertMany(
      db,
      'duplicate_book',
      membersOf('books').map(({ id, ...row }) => ({ ...row, book_id: id, dismissed: row.dismissed as 0 | 1 })),
    )
  })
}

/** A plugin takes every series and every book there is for something, or is not sure of it. */
const addMatches = async (db: Database): Promise<void> => {
  const at = '2026-11-01T10:00:00.000Z'
  const plugin = {
    id: idOf('plugin', 1),
    name: 'a-plugin',
    display_name: 'A plugin',
    description: null,
    plugin_type: 'system' as const,
    package: null,
    command: 'node',
    args: '[]',
    env_keys: '[]',
    env: null,
    credentials: null,
    working_directory: null,
    permissions: '[]',
    scopes: '[]',
    library_ids: '[]',
    config: '{}',
    credential_delivery: 'init_message' as const,
    log_level: null,
    requests_per_minute: null,
    request_timeout_seconds: null,
    options: '{}',
    enabled: 1 as const,
    disabled_reason: null,
    manifest: null,
    isolation: null,
    last_success_at: null,
    last_failure_at: null,
    failures_from: at,
    revision: 1,
    created_at: at,
    updated_at: at,
  }
  const series = await db.read.selectFrom('series').select(['id', 'library_id']).execute()
  const books = await db.read.selectFrom('book').select(['id', 'library_id']).execute()
  const rowOf = (entity: 'series' | 'book', from: number) => (each: (typeof series)[number]) => ({
    id: idOf('match', from + Number(each.id.slice(-3))),
    plugin_id: plugin.id,
    entity,
    entity_id: each.id,
    library_id: each.library_id,
    series_id: entity === 'series' ? each.id : null,
    book_id: entity === 'book' ? each.id : null,
    state: entity === 'series' ? ('uncertain' as const) : ('matched' as const),
    external_id: entity === 'book' ? each.id : null,
    confidence: 0.5,
    candidates: '[]',
    asked_title: null,
    cover_url: null,
    wanted_cover_url: null,
    refreshed_at: null,
    at,
    by_user_id: null,
  })
  await db.write(async (db) => {
    await insertMany(db, 'plugin', [plugin])
    await insertMany(db, 'plugin_match', [...series.map(rowOf('series', 0)), ...books.map(rowOf('book', 500))])
  })
}

/** It merges something into every series and every book. */
const addMerges = async (db: Database): Promise<void> => {
  const at = '2026-11-01T10:00:00.000Z'
  const rowsOf = async (entity: 'series' | 'book', from: number) => {
    const rows = await db.read.selectFrom(entity).select(['id', 'library_id']).execute()
    return rows.map(({ id, library_id }) => ({
      id: idOf('merge', from + Number(id.slice(-3))),
      entity,
      library_id,
      into_id: id,
      at,
      by_user_id: null,
      undone_at: null,
    }))
  }
  const rows = [...(await rowsOf('series', 0)), ...(await rowsOf('book', 100))]
  await db.write((db) => insertMany(db, 'merge', rows))
}

/** Somebody has put every book where it is. */
const addOverrides = async (db: Database): Promise<void> => {
  const books = await db.read.selectFrom('book').select(['id', 'library_id', 'series_id']).execute()
  const rows = books.map(({ id, library_id, series_id }) => ({
    id: idOf('override', Number(id.slice(-3))),
    library_id,
    book_id: id,
    folder: null,
    folder_before: null,
    series_id,
    through_id: null,
    at: '2026-11-01T10:00:00.000Z',
    by_user_id: null,
  }))
  await db.write((db) => insertMany(db, 'series_override', rows))
}

/** Each book has a term of its own of each kind, and one that all have. */
const addTerms = async (
  db: Database,
  number: number,
  { seriesId, bookIds }: { readonly seriesId: string; readonly bookIds: readonly string[] },
): Promise<void> => {
  const kinds = ['genre', 'tag', 'person'] as const
  const terms = kinds.flatMap((kind, index) =>
    [
      { name: kind === 'genre' ? 'common' : `common ${kind}`, id: idOf('term', 1000 + index) },
      { name: `${kind}${number}`, id: idOf('term', number * 10 + index) },
    ].map((term) => ({ ...term, kind, key: term.name, sort_key: term.name, created_at: '2026-11-01T10:00:00.000Z' })),
  )
  // A series has its people from its books.
  const ofSeries = terms.filter(({ kind }) => kind !== 'person')
  const of = (all: typeof terms) => all.map(({ id }, index) => ({ term_id: id, role: '', place: index }))
  await db.write(async (db) => {
    await insertMany(db, 'term', terms, 'is left as it is')
    await insertMany(
      db,
      'series_term',
      of(ofSeries).map((each) => ({ series_id: seriesId, ...each })),
    )
    await insertMany(
      db,
      'book_term',
      bookIds.flatMap((book_id) => of(terms).map((each) => ({ book_id, ...each }))),
    )
  })
}

/** They have read and opened what they see now and, where it exists, what is hidden from them since. */
export const read = async (db: Database, userId: string, rule: ViewRule): Promise<void> => {
  const at = '2026-11-02T10:00:00.000Z'
  const rows = world.flatMap((series, number) =>
    [...series.books.entries()]
      .filter(([index, { rating }]) => (number + index) % 3 < 2 && sees(rule, series, rating))
      .map(([index]) => ({
        user_id: userId,
        book_id: idOf('book', number * 10 + index),
        entry_id: idOf('book', number * 10 + index),
        device_id: 'unknown',
        page: 3,
        percentage: null,
        page_count: 20,
        completed: ((number + index) % 3) as 0 | 1,
        rereading: 0 as const,
        started_at: at,
        updated_at: at.replace('10:', `${10 + number}:`),
        completed_at: (number + index) % 3 ? at : null,
      })),
  )
  const series = await db.read.selectFrom('series').select('id').execute()
  await db.write(async (db) => {
    await insertMany(db, 'read_progress', rows)
    await insertMany(
      db,
      'read_completion',
      rows.flatMap(({ user_id, entry_id: id, book_id, started_at, completed_at }) =>
        completed_at === null ? [] : [{ user_id, id, book_id, started_at, completed_at }],
      ),
    )
    await recountSeries(
      db,
      series.map(({ id }) => id),
    )
  })
  await followAll(db, userId)
  await recommendAll(db, userId, world.length, idOf)
}

/** They follow every series, plan to read some, have marked something in every book, and have been told of all as if they had just come. */
const followAll = async (db: Database, userId: string): Promise<void> => {
  const at = '2026-11-03T10:00:00.000Z'
  const series = await db.read.selectFrom('series').select(['id', 'library_id']).execute()
  const books = await db.read.selectFrom('book').select(['id', 'series_id']).execute()
  const numberOf = (id: string) => Number(id.slice(-3))
  const arrivals = series
    .filter(({ id }) => books.some(({ series_id }) => series_id === id))
    .map(({ id, library_id }) => ({ id: idOf('arrival', numberOf(id)), series_id: id, library_id }))
  const idsOfSeries = new Set(arrivals.map(({ series_id }) => series_id))
  await db.write(async (db) => {
    await insertMany(
      db,
      'series_follow',
      series.map(({ id }) => ({ user_id: userId, series_id: id, followed_at: at, newest_at: at })),
    )
    await insertMany(
      db,
      'series_status',
      series
        .filter(({ id }) => numberOf(id) % 3 === 0)
        .map(({ id }) => ({ user_id: userId, series_id: id, status: 'planned' as const, updated_at: at })),
    )
    await insertMany(
      db,
      'arrival',
      arrivals.map((arrival) => ({ ...arrival, scan_id: idOf('arrival', 0), at, told: 1 as const })),
    )
    await insertMany(
      db,
      'arrival_book',
      books
        .filter(({ series_id }) => idsOfSeries.has(series_id))
        .map(({ id, series_id }) => ({ arrival_id: idOf('arrival', numberOf(series_id)), book_id: id })),
    )
    await insertMany(
      db,
      'notification',
      arrivals.map(({ id, series_id }) => ({
        id: idOf('notification', numberOf(series_id)),
        user_id: userId,
        arrival_id: id,
        created_at: at,
        read_at: numberOf(series_id) % 2 ? at : null,
      })),
    )
    const marks = books.map(({ id }) => ({
      id,
      user_id: userId,
      book_id: id,
      locator: '{"href":"a","type":"b"}',
      place: 1,
      note: `Of ${id}`,
      created_at: at,
      updated_at: at,
    }))
    await insertMany(db, 'bookmark', marks)
    const words = { quote: 'x', text_before: '', text_after: '', colour: 'yellow' }
    await insertMany(
      db,
      'annotation',
      marks.map((mark) => ({ ...mark, ...words })),
    )
  })
}

const addAccess = async (db: Database): Promise<void> => {
  const at = '2026-11-01T10:00:00.000Z'
  const named = (name: string) => ({
    name,
    name_key: name,
    sort_key: name,
    description: null,
    created_at: at,
    updated_at: at,
  })
  const rule = { all_libraries: 0 as const, age_ceiling: 16, include_unrated: 1 as const }
  const grant = (tag_id: string, mode: 'allow' | 'deny') => ({ owner_id: circle, tag_id, mode, created_at: at })
  await db.write(async (db) => {
    await insertMany(db, 'sharing_tag', [
      { id: family, ...named('family'), name_text: 'family' },
      { id: secret, ...named('secret'), name_text: 'secret' },
    ])
    await insertMany(db, 'access_group', [{ id: circle, ...named('circle'), ...rule }])
    await insertMany(db, 'access_group_library', [{ owner_id: circle, library_id: manga }])
    await insertMany(db, 'access_group_grant', [grant(family, 'allow'), grant(secret, 'deny')])
  })
}
