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
import { stump } from './stump.ts'

interface Expected {
  readonly lastMigration: string
  readonly libraries: readonly { id: string; name: string; path: string }[]
  readonly users: readonly {
    id: string
    name: string
    owner: boolean
    locked: boolean
    permissions: string[]
    ageRestriction: { age: number; restrictOnUnset: boolean } | null
    hiddenLibraries: string[]
  }[]
  readonly series: readonly {
    id: string
    key: string
    library: string
    name: string
    path: string
    title: string | null
    ageRating: number | null
    tags: string[]
  }[]
  readonly books: readonly {
    id: string
    key: string
    series: string
    library: string
    path: string
    size: number
    pages: number
    hash: string
    koreaderHashAsStored: string | null
    status: string
    number: number | null
  }[]
  readonly active: readonly {
    user: string
    book: string
    page: number | null
    fraction: number | null
    cfi: string | null
    started: string
    updated: string
  }[]
  readonly finished: readonly {
    user: string
    book: string
    started: string
    completed: string
    seconds: number | null
  }[]
  readonly reviews: readonly { user: string; book: string; rating: number; outOf: number; text: string | null }[]
  readonly readLists: readonly { name: string; owner: string; visibility: string; books: string[]; summary: string }[]
  readonly bookmarks: readonly { user: string; book: string; page: number }[]
  readonly annotations: readonly { user: string; book: string; text: string; note: string | null; cfi: string }[]
}

const expected = expectedOf('stump') as Expected
const read = () => readAll(stump, sourceOf(storePath('stump', 'stump.db')))
const books = new Map(expected.books.map(({ id, key }) => [id, key]))
const users = new Map(expected.users.map(({ id, name }) => [id, name]))
const named = ({ user, book }: { user: string; book: string }) => ({ user: users.get(user), book: books.get(book) })

/** A book that is being read again is so after it was finished, if both were written at the very time. */
const afterTheEnd = ({ user, book, updated }: Expected['active'][number]): string =>
  expected.finished.some((each) => each.user === user && each.book === book && each.completed === updated)
    ? new Date(Date.parse(updated) + 1).toISOString()
    : updated

describe('stump.db', () => {
  it('C25 says its schema, its libraries, and how they are grouped', async () => {
    const records = await read()
    expect(records[0]).toEqual({ type: 'source', kind: 'stump', version: null, schema: expected.lastMigration })
    expect(ofType(records, 'library').map(({ id, name, roots, grouping }) => ({ id, name, roots, grouping }))).toEqual(
      expected.libraries.map(({ id, name, path }) => ({
        id,
        name,
        roots: [path],
        grouping: { policy: 'folder', config: {} },
      })),
    )
    expect(ofType(records, 'library').map(({ readingDirection }) => readingDirection)).toEqual(['ltr', 'rtl', 'ltr'])
  })

  it('C25 brings its people with what they may do and see', async () => {
    expect(ofType(await read(), 'user')).toEqual(
      expected.users.map(({ id, name, owner, locked, permissions, ageRestriction, hiddenLibraries }) => ({
        type: 'user',
        id,
        name,
        email: null,
        role: owner ? 'admin' : 'reader',
        isActive: !locked,
        mayDownload: owner || permissions.includes('file:download'),
        libraries:
          hiddenLibraries.length === 0
            ? 'all'
            : expected.libraries.filter((each) => !hiddenLibraries.includes(each.name)).map((each) => each.id),
        ageCeiling: ageRestriction?.age ?? null,
        includeUnrated: ageRestriction === null || !ageRestriction.restrictOnUnset,
        allowLabels: [],
        denyLabels: [],
      })),
    )
  })

  it('C25 brings series and books, with the tags that people have put on them', async () => {
    const records = await read()
    const seriesById = new Map(ofType(records, 'series').map((each) => [each.id, each]))
    expect(seriesById.size).toBe(expected.series.length)
    for (const each of expected.series) {
      const record = seriesById.get(each.id)
      const library = expected.libraries.find(({ name }) => name === each.library)
      expect(record).toMatchObject({ library: library?.id, title: each.title ?? each.name })
      expect(`${library?.path}/${record?.folder}`).toBe(each.path)
      expect(record?.metadata['ageRating']?.value ?? null).toBe(each.ageRating)
      expect(record?.metadata['tags']).toEqual(
        each.tags.length === 0 ? undefined : { value: each.tags.toSorted(), locked: true },
      )
      expect(
        Object.entries(record?.metadata ?? {}).filter(([field, { locked }]) => locked && field !== 'tags'),
      ).toEqual([])
    }
    const ofBooks = new Map(ofType(records, 'book').map((each) => [each.id, each]))
    expect(ofBooks.size).toBe(expected.books.length)
    for (const each of expected.books) {
      const record = ofBooks.get(each.id)
      const library = expected.libraries.find(({ name }) => name === each.library)
      expect(record).toMatchObject({
        series: expected.series.find(({ key }) => key === each.series)?.id,
        library: library?.id,
        path: each.path.slice((library?.path.length ?? 0) + 1),
        size: each.size,
        pages: each.pages,
        number: each.number === null ? null : String(each.number),
        isDeleted: each.status !== 'READY',
        hashes: [
          { kind: 'stump', value: each.hash },
          ...(each.koreaderHashAsStored === null ? [] : [{ kind: 'koreader-stump', value: each.koreaderHashAsStored }]),
        ],
      })
    }
  })

  it('C25 brings what is being read and each time a book was finished, whichever way a time is written', async () => {
    const records = await read()
    const active = ofType(records, 'progress').map((each) => ({
      ...named(each),
      page: each.position.page,
      fraction: each.position.fraction,
      cfi: (each.position.locator?.['locations'] as { fragments?: string[] } | undefined)?.fragments?.[0] ?? null,
      started: each.startedAt,
      updated: each.at,
      isCompleted: each.isCompleted,
    }))
    expect(sorted(active)).toEqual(
      sorted(expected.active.map((each) => ({ ...each, updated: afterTheEnd(each), isCompleted: false }))),
    )
    const sessions = ofType(records, 'session')
    const finished = sessions
      .filter(({ kind }) => kind === 'completed')
      .map((each) => ({
        ...named(each),
        started: each.startedAt,
        completed: each.at,
        seconds: each.activeMs === null ? null : each.activeMs / 1000,
      }))
    expect(sorted(finished)).toEqual(
      sorted(
        expected.finished.map(({ user, book, started, completed, seconds }) => ({
          user,
          book,
          started,
          completed,
          seconds,
        })),
      ),
    )
    // The state of a book that was finished before is in the log as well.
    expect(
      sorted(sessions.filter(({ kind }) => kind === 'progress').map((each) => ({ ...named(each), at: each.at }))),
    ).toEqual(sorted(expected.active.map((each) => ({ user: each.user, book: each.book, at: afterTheEnd(each) }))))
  })

  it('C25 brings reviews of books, reading lists, bookmarks and annotations', async () => {
    const records = await read()
    expect(
      sorted(
        ofType(records, 'rating').map(({ user, of, rating, review }) => ({
          user: users.get(user),
          book: 'book' in of ? books.get(of.book) : '',
          rating,
          text: review,
        })),
      ),
    ).toEqual(
      sorted(
        expected.reviews.map(({ user, book, rating, outOf, text }) => ({
          user,
          book,
          rating: (rating * 100) / outOf,
          text,
        })),
      ),
    )
    expect(
      ofType(records, 'readList').map((each) => ({
        name: each.name,
        owner: users.get(each.owner ?? ''),
        isShared: each.isShared,
        books: each.books.map((id) => books.get(id)),
        summary: each.summary ?? '',
      })),
    ).toEqual(
      expected.readLists.map(({ name, owner, visibility, books: of, summary }) => ({
        name,
        owner,
        isShared: visibility !== 'PRIVATE',
        books: of,
        summary,
      })),
    )
    expect(ofType(records, 'bookmark').map((each) => ({ ...named(each), page: each.position.page }))).toEqual(
      expected.bookmarks,
    )
    expect(
      ofType(records, 'annotation').map((each) => ({
        ...named(each),
        text: each.quote,
        note: each.note,
        cfi: (each.position.locator?.['locations'] as { fragments?: string[] } | undefined)?.fragments?.[0],
      })),
    ).toEqual(expected.annotations)
  })

  it('C25 says what it passes over, and what is not in it', async () => {
    const passed = passedOverIn(await read())
    expect(passed).toContainEqual({ what: 'passwords', reason: 'secret', count: 4 })
    expect(passed).toContainEqual({ what: 'want to read', reason: 'not_in_store', count: null })
    expect(passed).toContainEqual({ what: 'permissions beside that to download', reason: 'no_such_thing', count: 2 })
  })
})
