import { readFileSync } from 'node:fs'
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
import { codex } from './codex.ts'

interface Expected {
  readonly lastMigration: string
  readonly libraries: readonly { id: string; name: string; path: string }[]
  readonly users: readonly { id: string; name: string; email: string; role: string }[]
  readonly sharing: readonly { user: string; tag: string; mode: string }[]
  readonly series: readonly {
    id: string
    key: string
    library: string
    name: string
    path: string
    title: string
    titleSort: string
    summary: string
    publisher: string | null
    ageRating: number | null
    language: string | null
    status: string
    readingDirection: string
    year: number
    authors: { name: string; role: string }[]
    customMetadata: Record<string, unknown> | null
    genres: string[]
    tags: string[]
    sharingTags: string[]
    locked: string[]
  }[]
  readonly books: readonly {
    id: string
    key: string
    series: string
    library: string
    path: string
    size: number
    hash: string
    koreaderHash: string
    format: string
    pages: number
    title: string
    number: number | null
    deleted: boolean
    locked: string[]
  }[]
  readonly progress: readonly {
    current_page: number
    progress_percentage: number | null
    completed: number
    started_at: string
    updated_at: string
    completed_at: string | null
    user: string
    book: string
  }[]
  readonly sessions: readonly {
    id: string
    device_id: string
    device_name: string | null
    kind: string
    to_page: number | null
    to_percentage: number | null
    active_duration_ms: number | null
    duration_source: string
    pages_read: number | null
    client_started_at: string
    client_ended_at: string
    user: string
    book: string
  }[]
  readonly completions: readonly { user: string; book: string; completed_at: string }[]
  readonly ratings: readonly {
    rating: number
    notes: string | null
    updated_at: string
    user: string
    series: string
  }[]
  readonly wants: readonly {
    added_at: string
    position: number
    user: string
    book: string | null
    series: string | null
  }[]
  readonly presets: readonly { name: string; condition: string; sort: string; user: string }[]
  readonly seriesExternalIds: readonly { source: string; external_id: string; external_url: string; series: string }[]
  readonly alternateTitles: readonly { label: string; title: string; series: string }[]
  readonly seriesCovers: readonly { path: string; series: string }[]
  readonly bookCovers: readonly { path: string; book: string }[]
  readonly collections: readonly { name: string; ordered: boolean; summary: string; series: string[] }[]
  readonly readLists: readonly { id: string; name: string; summary: string; ordered: number; books: string[] }[]
}

const expected = expectedOf('codex') as Expected
const folder = storePath('codex', '.')
const source = () => sourceOf(storePath('codex', 'codex.db'), folder)
const read = () => readAll(codex, source())

const books = new Map(expected.books.map(({ id, key }) => [id, key]))
const series = new Map(expected.series.map(({ id, key }) => [id, key]))
const users = new Map(expected.users.map(({ id, name }) => [id, name]))
const epubs = new Set(expected.books.filter(({ format }) => format === 'epub').map(({ key }) => key))

/** The same instant with milliseconds, worked out by the engine and not by the reader. */
const instant = (written: string): string => new Date(Date.parse(written)).toISOString()
const named = ({ user, book }: { user: string; book: string }) => ({ user: users.get(user), book: books.get(book) })
const fieldOf = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

describe('codex.db', () => {
  it('C25 says its schema, its libraries, and how they are grouped', async () => {
    const records = await read()
    expect(records[0]).toEqual({ type: 'source', kind: 'codex', version: null, schema: expected.lastMigration })
    expect(ofType(records, 'library')).toEqual(
      expected.libraries.map(({ id, name, path }) => ({
        type: 'library',
        id,
        name,
        roots: [path],
        grouping: { policy: 'top_folder', config: {} },
        readingDirection: 'ltr',
      })),
    )
  })

  it('C25 brings its people with their roles and the tags denied to them', async () => {
    const roles: Readonly<Record<string, string>> = { admin: 'admin', maintainer: 'editor', reader: 'reader' }
    expect(ofType(await read(), 'user')).toEqual(
      expected.users.map(({ id, name, email, role }) => ({
        type: 'user',
        id,
        name,
        email,
        role: roles[role],
        isActive: true,
        mayDownload: true,
        libraries: 'all',
        ageCeiling: null,
        includeUnrated: true,
        allowLabels: [],
        denyLabels: expected.sharing.filter(({ user, mode }) => user === name && mode === 'deny').map(({ tag }) => tag),
      })),
    )
  })

  /** The store keeps a link of one series. */
  const withLink = 'lantern'

  it('C25 brings its series with what is known, what is locked, and by what they are found', async () => {
    const seriesById = new Map(ofType(await read(), 'series').map((record) => [record.id, record]))
    expect(seriesById.size).toBe(expected.series.length)
    for (const each of expected.series) {
      const record = seriesById.get(each.id)
      expect(record).toMatchObject({ title: each.title, folder: each.path, labels: each.sharingTags, isOneShot: false })
      expect(record?.library).toBe(expected.libraries.find(({ name }) => name === each.library)?.id)
      const other = expected.alternateTitles.filter(({ series: of }) => of === each.key).map(({ title }) => title)
      expect(record?.otherTitles).toEqual([...(each.name === each.title ? [] : [each.name]), ...other])
      const ids = expected.seriesExternalIds
        .filter(({ series: of }) => of === each.key)
        .map((id) => ({ source: id.source, id: id.external_id, url: id.external_url }))
      expect(record?.metadata['externalIds']?.value ?? []).toEqual(ids)
      const { titleSort, summary, publisher, ageRating, language, status, readingDirection, year, customMetadata } =
        each
      const single = {
        titleSort,
        summary,
        publisher,
        ageRating,
        language,
        status,
        readingDirection,
        year,
        customMetadata,
      }
      for (const [field, value] of Object.entries(single)) expect(record?.metadata[field]?.value ?? null).toEqual(value)
      for (const field of ['authors', 'genres', 'tags'] as const)
        expect(sorted((record?.metadata[field]?.value as unknown[] | undefined) ?? [])).toEqual(
          sorted<unknown>(each[field]),
        )
      const locked = Object.entries(record?.metadata ?? {}).filter(([, value]) => value.locked)
      expect(sorted(locked.map(([field]) => field))).toEqual(
        sorted(
          new Set([
            ...each.locked.filter((lock) => lock !== 'cover').map(fieldOf),
            // Nobody but a person says these, and no file says them again.
            ...(each.customMetadata === null ? [] : ['customMetadata']),
            ...(other.length === 0 ? [] : ['alternateTitles']),
            ...(ids.length === 0 ? [] : ['externalIds']),
            ...(each.key === withLink ? ['externalLinks'] : []),
          ]),
        ),
      )
    }
  })

  it('C25 brings each book with its path below the library and all its hashes', async () => {
    const booksById = new Map(ofType(await read(), 'book').map((record) => [record.id, record]))
    expect(booksById.size).toBe(expected.books.length)
    for (const each of expected.books) {
      const record = booksById.get(each.id)
      const library = expected.libraries.find(({ name }) => name === each.library)
      expect(record).toMatchObject({
        series: expected.series.find(({ key }) => key === each.series)?.id,
        library: library?.id,
        path: each.path.slice((library?.path.length ?? 0) + 1),
        size: each.size,
        pages: each.pages,
        title: each.title,
        number: each.number === null ? null : String(each.number),
        isDeleted: each.deleted,
      })
      expect(record?.hashes).toContainEqual({ kind: 'sha256', value: each.hash })
      expect(record?.hashes).toContainEqual({ kind: 'koreader', value: each.koreaderHash })
      const locked = Object.entries(record?.metadata ?? {}).filter(([, value]) => value.locked)
      expect(locked.map(([field]) => field)).toEqual(each.locked.filter((lock) => lock !== 'cover').map(fieldOf))
    }
  })

  it('C25 dates progress by the clock of the reader, not by when the server wrote it', async () => {
    const lastRead = (user: string, book: string): string =>
      expected.sessions
        .filter((each) => each.user === user && each.book === book)
        .map(({ client_ended_at: at }) => instant(at))
        .toSorted()
        .at(-1) ?? ''
    const progress = ofType(await read(), 'progress').map((record) => ({
      ...named(record),
      page: record.position.page,
      fraction: record.position.fraction,
      isCompleted: record.isCompleted,
      startedAt: record.startedAt,
      at: record.at,
      completedAt: record.completedAt,
    }))
    const pagesOf = new Map(expected.books.map(({ key, pages }) => [key, pages]))
    expect(sorted(progress)).toEqual(
      sorted(
        expected.progress.map((each) => ({
          user: each.user,
          book: each.book,
          page: epubs.has(each.book) ? null : each.current_page,
          fraction:
            each.progress_percentage ??
            (epubs.has(each.book) ? each.current_page / (pagesOf.get(each.book) ?? 0) : null),
          isCompleted: each.completed === 1,
          startedAt: instant(each.started_at),
          at: lastRead(each.user, each.book),
          completedAt: each.completed_at === null ? null : instant(each.completed_at),
        })),
      ),
    )
  })

  it('C25 brings the whole log, and every time a book was finished', async () => {
    const records = await read()
    const sessions = ofType(records, 'session').map((record) => ({
      id: record.id,
      ...named(record),
      kind: record.kind,
      start: record.startedAt,
      end: record.at,
      activeMs: record.activeMs,
      pagesRead: record.pagesRead,
      device: record.device,
      page: record.position.page,
    }))
    expect(sorted(sessions)).toEqual(
      sorted(
        expected.sessions.map((each) => ({
          id: each.id,
          user: each.user,
          book: each.book,
          kind: each.kind,
          start: instant(each.client_started_at),
          end: instant(each.client_ended_at),
          activeMs: each.duration_source === 'measured' ? each.active_duration_ms : null,
          pagesRead: each.pages_read,
          device: each.device_name ?? each.device_id,
          page: epubs.has(each.book) ? null : each.to_page,
        })),
      ),
    )
    const finished = [
      ...ofType(records, 'session').filter(({ kind }) => kind === 'completed'),
      ...ofType(records, 'completion'),
    ].map((record) => ({ ...named(record), at: record.at }))
    expect(sorted(finished)).toEqual(
      sorted(expected.completions.map(({ user, book, completed_at: at }) => ({ user, book, at: instant(at) }))),
    )
  })

  it('C25 brings ratings as they are, wishes in their order, and presets', async () => {
    const records = await read()
    expect(
      ofType(records, 'rating').map(({ user, of, rating, review, at }) => ({
        user: users.get(user),
        series: 'series' in of ? series.get(of.series) : '',
        rating,
        notes: review,
        at,
      })),
    ).toEqual(
      expected.ratings.map(({ user, series: of, rating, notes, updated_at: at }) => ({
        user,
        series: of,
        rating,
        notes,
        at: instant(at),
      })),
    )
    expect(
      ofType(records, 'want').map(({ user, of, position, at }) => ({
        user: users.get(user),
        series: 'series' in of ? series.get(of.series) : null,
        book: 'book' in of ? books.get(of.book) : null,
        position,
        at,
      })),
    ).toEqual(
      expected.wants.map(({ user, series: of, book, position, added_at: at }) => ({
        user,
        series: of,
        book,
        position,
        at: instant(at),
      })),
    )
    expect(ofType(records, 'preset')).toEqual(
      expected.presets.map(({ user, name, condition, sort }) => ({
        type: 'preset',
        user: expected.users.find((each) => each.name === user)?.id,
        name,
        target: 'series',
        condition: JSON.parse(condition) as unknown,
        query: null,
        sort,
      })),
    )
  })

  it('C25 brings collections and read lists in their order', async () => {
    const records = await read()
    expect(
      ofType(records, 'collection').map((each) => ({
        name: each.name,
        ordered: each.isOrdered,
        summary: each.summary ?? '',
        series: each.series.map((id) => series.get(id)),
        owner: each.owner,
      })),
    ).toEqual(
      expected.collections.map(({ name, ordered, summary, series: of }) => ({
        name,
        ordered,
        summary,
        series: of,
        owner: null,
      })),
    )
    expect(
      ofType(records, 'readList').map((each) => ({
        id: each.id,
        name: each.name,
        summary: each.summary ?? '',
        ordered: each.isOrdered ? 1 : 0,
        books: each.books.map((id) => books.get(id)),
      })),
    ).toEqual(
      expected.readLists.map(({ id, name, summary, ordered, books: of }) => ({
        id,
        name,
        summary,
        ordered,
        books: of,
      })),
    )
  })

  it('C25 brings uploaded covers byte for byte', async () => {
    const covers = ofType(await read(), 'cover')
    const nameOf = (path: string): string => path.slice(path.indexOf('/uploads/') + '/uploads/'.length)
    expect(
      sorted(
        covers.map(({ of, ref }) => [
          ref,
          'book' in of ? books.get(of.book) : series.get('series' in of ? of.series : ''),
        ]),
      ),
    ).toEqual(
      sorted([
        ...expected.bookCovers.map(({ path, book }) => [nameOf(path), book]),
        ...expected.seriesCovers.map(({ path, series: of }) => [nameOf(path), of]),
      ]),
    )
    for (const { ref, bytes } of covers) {
      const file = readFileSync(storePath('codex', `uploads/${ref}`))
      expect(bytes).toBe(file.length)
      expect(Buffer.from((await codex.cover(source(), ref)) ?? [])).toEqual(file)
    }
  })

  it('C25 says what it passes over', async () => {
    const passed = passedOverIn(await read())
    expect(passed).toContainEqual({ what: 'API keys', reason: 'secret', count: 1 })
    expect(passed).toContainEqual({ what: 'passwords', reason: 'secret', count: 4 })
    expect(passed).toContainEqual({ what: 'settings of users', reason: 'no_such_thing', count: 1 })
  })
})
