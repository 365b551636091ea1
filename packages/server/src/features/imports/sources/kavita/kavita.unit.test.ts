import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  expectedOf,
  ofType,
  passedOverIn,
  readAll,
  sorted,
  sourceOf,
  storePath,
} from '../../../../../test/stores/read.ts'
import type { SourceValues } from '../../records.ts'
import { kavita } from './kavita.ts'

interface Expected {
  readonly version: string
  readonly lastMigration: string
  readonly libraries: readonly { id: number; name: string; folders: string[] }[]
  readonly users: readonly {
    id: number
    name: string
    email: string
    roles: string[]
    libraries: string[]
    ageRestriction: { value: number; includeUnknowns: boolean } | null
  }[]
  readonly series: readonly {
    id: number
    key: string
    library: string
    name: string
    sortName: string
    localizedName: string
    folder: string
    ageRating: string
    status: string
    language: string
    releaseYear: number
    publisher: string | null
    genres: string[]
    tags: string[]
    writers: string[]
    summary: string
    locked: string[]
  }[]
  readonly books: readonly {
    chapterId: number
    key: string
    series: string
    library: string
    path: string
    size: number
    pages: number
    format: string
    volume: string | null
    chapter: string | null
    title: string | null
    titleLocked: boolean
    koreaderHash: string | null
  }[]
  readonly progress: readonly {
    user: string
    book: string
    pagesRead: number
    pages: number
    state: string
    page: number | null
    totalReads: number | null
    created: string
    modified: string
  }[]
  readonly sessions: readonly {
    user: string
    book: string
    start: string
    end: string
    pages: number
    generated: boolean
  }[]
  readonly ratings: readonly {
    user: string
    series: string
    rating: number | null
    review: string | null
    at: string | null
  }[]
  readonly chapterRatings: readonly { user: string; book: string; rating: number; review: string }[]
  readonly wants: readonly { user: string; series: string }[]
  readonly readLists: readonly {
    id: number
    name: string
    owner: string
    promoted: boolean
    summary: string
    books: string[]
  }[]
  readonly collections: readonly { id: number; name: string; owner: string; promoted: boolean; series: string[] }[]
  readonly bookmarks: readonly { user: string; book: string; page: number; at: string }[]
  readonly annotations: readonly {
    user: string
    book: string
    storedPage: number
    text: string
    note: string | null
    at: string
  }[]
  readonly onDeckRemovals: readonly { user: string; series: string }[]
  readonly covers: readonly { book?: string; series?: string; file: string; sha256: string }[]
}

/** Ages by the words of ComicInfo 2.1, as they stand in the expectation. */
const ages: Readonly<Record<string, number | undefined>> = {
  Everyone: 0,
  'Everyone 10+': 10,
  Teen: 13,
  'MA15+': 15,
  'Mature 17+': 17,
}
const statuses: Readonly<Record<string, string>> = { Ongoing: 'ongoing', Hiatus: 'hiatus', Completed: 'ended' }
const fieldsOfLocks: Readonly<Record<string, string>> = {
  AgeRatingLocked: 'ageRating',
  GenresLocked: 'genres',
  PublisherLocked: 'publisher',
  LanguageLocked: 'language',
  TagsLocked: 'tags',
}

describe.each([
  { store: 'kavita.db', expectation: 'expected.json' },
  { store: 'kavita-0.8.3.16.db', expectation: 'expected-0.8.3.16.json' },
])('$store', ({ store, expectation }) => {
  const expected = expectedOf('kavita', expectation) as Expected
  const path = storePath('kavita', store)
  const read = () => readAll(kavita, sourceOf(path, storePath('kavita', '.')))
  const books = new Map(expected.books.map(({ chapterId, key }) => [String(chapterId), key]))
  const series = new Map(expected.series.map(({ id, key }) => [String(id), key]))
  const users = new Map(expected.users.map(({ id, name }) => [String(id), name]))
  const libraries = new Map(expected.libraries.map(({ id, name }) => [String(id), name]))
  const epubs = new Set(expected.books.filter(({ format }) => format === 'epub').map(({ key }) => key))
  const named = ({ user, book }: { user: string; book: string }) => ({ user: users.get(user), book: books.get(book) })

  it('C25 says its version and the folders of its libraries', async () => {
    const records = await read()
    expect(records[0]).toEqual({
      type: 'source',
      kind: 'kavita',
      version: expected.version,
      schema: expected.lastMigration,
    })
    expect(ofType(records, 'library').map(({ id, name, roots }) => ({ id: Number(id), name, folders: roots }))).toEqual(
      expected.libraries.map(({ id, name, folders }) => ({ id, name, folders })),
    )
  })

  it('C25 brings its people with what they may do and see', async () => {
    const readUsers = ofType(await read(), 'user').map((user) => ({
      ...user,
      libraries: user.libraries === 'all' ? 'all' : user.libraries.map((id) => libraries.get(id)),
    }))
    expect(readUsers).toEqual(
      expected.users.map(({ id, name, email, roles, libraries: seen, ageRestriction }) => {
        const isAdmin = roles.includes('Admin')
        return {
          type: 'user',
          id: String(id),
          name,
          email,
          role: isAdmin ? 'admin' : 'reader',
          isActive: isAdmin || roles.includes('Login'),
          mayDownload: isAdmin || roles.includes('Download'),
          libraries: isAdmin ? 'all' : seen,
          // The only restriction in it is 5, Everyone 10+.
          ageCeiling: ageRestriction === null ? null : 10,
          includeUnrated: ageRestriction === null || ageRestriction.includeUnknowns,
          allowLabels: [],
          denyLabels: [],
        }
      }),
    )
  })

  it('C25 brings its series with what is known and what is locked', async () => {
    const seriesRecords = ofType(await read(), 'series')
    expect(seriesRecords.map(({ id }) => series.get(id))).toEqual(expected.series.map(({ key }) => key))
    for (const [index, each] of expected.series.entries()) {
      const record = seriesRecords[index]
      expect(record).toMatchObject({ title: each.name, isOneShot: false, labels: [] })
      expect(libraries.get(record?.library ?? '')).toBe(each.library)
      const root = expected.libraries.find(({ name }) => name === each.library)?.folders[0] ?? ''
      expect(`${root}/${record?.folder}`).toBe(each.folder)
      expect(record?.otherTitles).toEqual(each.localizedName === each.name ? [] : [each.localizedName])
      const metadata = record?.metadata ?? {}
      expect(valueIn(metadata, 'ageRating')).toBe(ages[each.ageRating])
      expect(valueIn(metadata, 'status')).toBe(statuses[each.status])
      expect(valueIn(metadata, 'language') ?? '').toBe(each.language)
      expect(valueIn(metadata, 'year')).toBe(each.releaseYear)
      expect(valueIn(metadata, 'publisher') ?? null).toBe(each.publisher)
      expect(valueIn(metadata, 'summary')).toBe(each.summary)
      expect(sorted((valueIn(metadata, 'genres') as string[] | undefined) ?? [])).toEqual(sorted(each.genres))
      expect(sorted((valueIn(metadata, 'tags') as string[] | undefined) ?? [])).toEqual(sorted(each.tags))
      const authors = (valueIn(metadata, 'authors') as { name: string; role: string }[] | undefined) ?? []
      expect(authors.filter(({ role }) => role === 'writer').map(({ name }) => name)).toEqual(each.writers)
      // Kavita has no lock for the links that somebody has put there.
      const links = each.key === 'lantern' ? ['externalLinks'] : []
      expect(valueIn(metadata, 'externalLinks')).toEqual(
        links.length === 0 ? undefined : [{ source: 'press.example', url: 'https://press.example/lantern' }],
      )
      expect(lockedIn(metadata)).toEqual(sorted([...each.locked.map((lock) => fieldsOfLocks[lock]), ...links]))
    }
  })

  it('C25 brings each book with its file, its digest and its number', async () => {
    const bookRecords = ofType(await read(), 'book')
    expect(bookRecords).toHaveLength(expected.books.length)
    for (const [index, each] of expected.books.entries()) {
      const record = bookRecords[index]
      const root = expected.libraries.find(({ name }) => name === each.library)?.folders[0] ?? ''
      expect({ ...record, metadata: undefined, title: undefined, seriesTitle: undefined }).toEqual({
        type: 'book',
        id: String(each.chapterId),
        series: String(expected.series.find(({ key }) => key === each.series)?.id),
        library: String(expected.libraries.find(({ name }) => name === each.library)?.id),
        path: each.path.slice(root.length + 1),
        size: each.size,
        hashes: each.koreaderHash === null ? [] : [{ kind: 'koreader', value: each.koreaderHash.toLowerCase() }],
        number: each.chapter ?? each.volume,
        volume: each.volume,
        pages: each.pages,
        isDeleted: false,
      })
      const title = record?.metadata['title']
      expect(title?.locked ? title.value : null).toBe(each.titleLocked ? each.title : null)
    }
  })

  it('C25 takes pages left behind for the page on the screen, and all of them for the end', async () => {
    const progress = ofType(await read(), 'progress').map((record) => ({
      ...named(record),
      isCompleted: record.isCompleted,
      page: record.position.page,
      fraction: record.position.fraction,
      pages: record.pages,
      startedAt: record.startedAt,
      at: record.at,
      completedAt: record.completedAt,
    }))
    const begun = expected.progress
      .filter(({ state }) => state !== 'unread')
      .map(({ user, book, state, page, pages, pagesRead, created, modified }) => ({
        user,
        book,
        isCompleted: state === 'read',
        page: epubs.has(book) ? null : page,
        fraction: state === 'reading' && epubs.has(book) ? pagesRead / pages : null,
        pages,
        startedAt: created,
        at: modified,
        completedAt: state === 'read' ? modified : null,
      }))
    expect(sorted(progress)).toEqual(sorted(begun))
  })

  it('C25 tells that a book was finished before, and counts what has no date', async () => {
    const records = await read()
    const again = expected.progress.filter(({ state, totalReads }) => state === 'reading' && (totalReads ?? 0) > 0)
    const finishedInSession = new Set(
      expected.sessions
        .filter(({ book, pages }) => pages >= (expected.progress.find((each) => each.book === book)?.pages ?? Infinity))
        .map(({ user, book }) => `${user} ${book}`),
    )
    const told = ofType(records, 'completion').filter(({ id }) => id.startsWith('progress '))
    expect(sorted(told.map((record) => ({ ...named(record), at: record.at })))).toEqual(
      sorted(
        again
          .filter(({ user, book }) => !finishedInSession.has(`${user} ${book}`))
          .map(({ user, book, created }) => ({ user, book, at: created })),
      ),
    )
  })

  it('C25 brings reading sessions, and takes what marking as read left behind for the end alone', async () => {
    const records = await read()
    const pagesOf = new Map(expected.books.map(({ key, pages }) => [key, pages]))
    const isEnd = ({ book, pages }: { book: string; pages: number }) => pages >= (pagesOf.get(book) ?? Infinity)
    const sessions = ofType(records, 'session').filter(({ id }) => !id.startsWith('unread '))
    const readSessions = sessions.map((record) => ({
      ...named(record),
      kind: record.kind,
      start: record.startedAt,
      end: record.at,
      pages: record.pagesRead,
    }))
    expect(sorted(readSessions)).toEqual(
      sorted(
        expected.sessions
          .filter(({ generated }) => !generated)
          .map((each) => ({
            user: each.user,
            book: each.book,
            kind: isEnd(each) ? 'completed' : 'progress',
            start: each.start,
            end: each.end,
            pages: each.pages,
          })),
      ),
    )
    const marked = ofType(records, 'completion').filter(({ id }) => !id.startsWith('progress '))
    expect(sorted(marked.map((record) => ({ ...named(record), at: record.at })))).toEqual(
      sorted(
        expected.sessions
          .filter((each) => each.generated && isEnd(each))
          .map(({ user, book, end }) => ({ user, book, at: end })),
      ),
    )
  })

  it('C25 makes a hundred of five stars, and keeps reviews without any', async () => {
    const ratings = ofType(await read(), 'rating').map(({ user, of, rating, review, at }) => ({
      user: users.get(user),
      of: 'series' in of ? series.get(of.series) : books.get(of.book),
      rating,
      review,
      at,
    }))
    const ofSeries = expected.ratings
      .filter(({ rating, review }) => rating !== null || review !== null)
      .map(({ user, series: of, rating, review, at }) => ({
        user,
        of,
        rating: rating === null ? null : rating * 20,
        review,
        at,
      }))
    const ofBooks = expected.chapterRatings.map(({ user, book, rating, review }) => ({
      user,
      of: book,
      rating: rating * 20,
      review,
      at: '2023-01-15T09:00:00.123Z',
    }))
    expect(sorted(ratings)).toEqual(sorted([...ofSeries, ...ofBooks]))
  })

  it('C25 brings wishes, hidden series, collections and reading lists in their order', async () => {
    const records = await read()
    expect(
      ofType(records, 'want').map(({ user, of }) => ({
        user: users.get(user),
        series: 'series' in of ? series.get(of.series) : '',
      })),
    ).toEqual(expected.wants)
    expect(
      ofType(records, 'onDeckRemoval').map((each) => ({ user: users.get(each.user), series: series.get(each.series) })),
    ).toEqual(expected.onDeckRemovals)
    expect(
      ofType(records, 'collection').map((each) => ({
        id: Number(each.id),
        name: each.name,
        owner: users.get(each.owner ?? ''),
        promoted: each.isShared,
        series: sorted(each.series.map((id) => series.get(id))),
      })),
    ).toEqual(expected.collections.map((each) => ({ ...each, series: sorted(each.series) })))
    expect(
      ofType(records, 'readList').map((each) => ({
        id: Number(each.id),
        name: each.name,
        owner: users.get(each.owner ?? ''),
        promoted: each.isShared,
        summary: each.summary ?? '',
        books: each.books.map((id) => books.get(id)),
      })),
    ).toEqual(expected.readLists)
  })

  it('C25 brings bookmarks and annotations to their pages', async () => {
    const records = await read()
    expect(
      ofType(records, 'bookmark').map((each) => ({ ...named(each), page: each.position.page, at: each.at })),
    ).toEqual(expected.bookmarks.map(({ user, book, page, at }) => ({ user, book, page, at })))
    const annotations = ofType(records, 'annotation').map((each) => ({
      ...named(each),
      fragments: each.position.locator?.['locations'],
      text: each.quote,
      note: each.note,
      at: each.at,
    }))
    expect(annotations).toEqual(
      expected.annotations.map(({ user, book, storedPage, text, note, at }) => ({
        user,
        book,
        fragments: {
          fragments: [`epubcfi(/6/${2 * (storedPage + 1)}!/4)`],
          totalProgression: storedPage / (expected.books.find(({ key }) => key === book)?.pages ?? 0),
        },
        text,
        note,
        at,
      })),
    )
  })

  it('C25 brings chosen covers byte for byte, and says which are not with the store', async () => {
    const folder = storePath('kavita', '.')
    const covers = ofType(await read(), 'cover')
    const readCovers = await Promise.all(
      covers.map(async ({ of, ref }) => ({
        ...('book' in of ? { book: books.get(of.book) } : { series: series.get('series' in of ? of.series : '') }),
        file: `covers/${ref}`,
        sha256: createHash('sha256')
          .update((await kavita.cover(sourceOf(path, folder), ref)) ?? '')
          .digest('hex'),
      })),
    )
    expect(sorted(readCovers)).toEqual(sorted(expected.covers))
    const alone = await readAll(kavita, sourceOf(path))
    expect(ofType(alone, 'cover')).toEqual([])
    expect(passedOverIn(alone)).toContainEqual({
      what: 'chosen covers whose pictures are not with the store',
      reason: 'not_in_store',
      count: expected.covers.length,
    })
  })

  it('C25 says what it passes over', async () => {
    const passed = passedOverIn(await read())
    expect(passed).toContainEqual({ what: 'passwords', reason: 'secret', count: 4 })
    expect(passed).toContainEqual({ what: 'settings of users', reason: 'no_such_thing', count: 4 })
    const told = new Set(expected.sessions.map(({ user, book }) => `${user} ${book}`))
    const unread = expected.progress.filter(
      ({ state, user, book }) => state === 'unread' && !told.has(`${user} ${book}`),
    )
    expect(passed).toContainEqual({
      what: 'books that are marked as unread',
      reason: 'no_such_thing',
      count: unread.length,
    })
  })
})

const valueIn = (values: SourceValues, field: string): unknown => values[field]?.value ?? undefined

const lockedIn = (values: SourceValues): readonly string[] =>
  sorted(
    Object.entries(values)
      .filter(([, { locked }]) => locked)
      .map(([field]) => field),
  )
