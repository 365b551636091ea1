import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries, addSeries } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

const createTag = async (server: TestServer, name: string): Promise<string> =>
  bodyOf(await (await server.person('admin')).call(api.createSharingTag, { body: { name } })).id

test('CAT-1 a book says what it is, where it belongs, and how it may be shown', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db, { reading_direction: 'rtl' })
  const series = await addSeries(db, library, { title: 'Yotsuba&!' })
  const metadata = {
    title: 'Yotsuba&! 1',
    number: '1',
    language: 'ja',
    authors: [{ name: 'Kiyohiko Azuma', role: 'author', sortName: null }],
    links: ['https://www.anilist.co/manga/30104', 'no address'],
    externalIds: [{ source: 'isbn', id: '9784840224666' }],
  }
  const [id = ''] = await addBooks(db, series, [
    {
      title: 'Yotsuba&! 1',
      volume: 1,
      chapter: 1.5,
      metadata: JSON.stringify(metadata),
      locks: '["authors","title"]',
      cover_version: 3,
      placeholder: 'aGFzaA==',
      tone: '#b0883d#7d5300#d1a557',
      file: { koreader_hash: 'abc', fault_code: 'damaged', fault_message: 'Page 3 is cut off.' },
    },
  ])
  const editor = await server.person('editor')

  const book = bodyOf(await editor.call(api.readBook, { params: { id } }))
  const {
    metadata: shown,
    externalIds,
    externalLinks,
    externalRatings,
    readCount,
    lastCompletedAt,
    files,
    ...listed
  } = book
  expect(files).toMatchObject([{ format: 'cbz', size: 1000, chosen: true }])
  expect([readCount, lastCompletedAt]).toEqual([0, null])
  expect(listed).toEqual({
    id,
    libraryId: library.id,
    libraryName: 'Manga',
    seriesId: series.id,
    seriesName: 'Yotsuba&!',
    title: 'Yotsuba&! 1',
    titleSort: null,
    number: 1,
    volume: 1,
    chapter: 1.5,
    oneShot: false,
    authors: ['Kiyohiko Azuma'],
    path: '/data/manga/Yotsuba&!/Yotsuba&! 1.cbz',
    fileFormat: 'cbz',
    fileSize: 1000,
    fileHash: `f${id.replaceAll('-', '')}`,
    koreaderHash: 'abc',
    pageCount: 20,
    analyzed: true,
    analysisError: 'Page 3 is cut off.',
    deleted: false,
    readingDirection: 'rtl',
    summary: null,
    readProgress: null,
    wantToRead: false,
    coverVersion: '3',
    placeholder: 'aGFzaA==',
    tone: { tone: '#b0883d', onLight: '#7d5300', onDark: '#d1a557' },
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-01T10:00:00.000Z',
  })
  expect(shown).toMatchObject({
    title: 'Yotsuba&! 1',
    titleLock: true,
    number: '1',
    numberLock: false,
    languageIso: 'ja',
    authors: metadata.authors,
    authorsJsonLock: true,
    coverLock: false,
    genres: [],
    summary: null,
  })
  expect(externalIds).toEqual([{ source: 'isbn', id: '9784840224666', url: null }])
  expect(externalLinks).toEqual([{ source: 'anilist.co', url: 'https://www.anilist.co/manga/30104' }])
  expect(externalRatings).toEqual([])
  expect(bodyOf(await editor.call(api.readFullBook, { params: { id } }))).toEqual(book)
  expect(bodyOf(await editor.call(api.listBooks, {})).data).toEqual([listed])
})

test('CAT-1 W9 a series says what it is, and counts the books this viewer sees', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const fields = { publisher: 'A', status: 'ongoing', totalVolumeCount: 7, genres: ['Comedy'] }
  const series = await addSeries(db, library, {
    title: 'Mixed',
    age_rating: 6,
    metadata: JSON.stringify(fields),
    locks: '["publisher"]',
  })
  const [first = '', second = ''] = await addBooks(db, series, [
    { volume: 1, age_rating: 18, cover_version: 7, placeholder: 'first', tone: '' },
    {
      volume: 2,
      chapter: 3.5,
      age_rating: 6,
      cover_version: 4,
      placeholder: 'second',
      tone: '#b0883d#7d5300#d1a557',
    },
    { volume: 2, chapter: 2, age_rating: 6 },
    { volume: 9, chapter: 40, age_rating: 18 },
    { volume: 11, age_rating: 6, state: 'missing' },
  ])
  const everybody = await server.person('reader')
  const child = await server.person('reader', { access: { ageCeiling: 12 } })
  const ask = async ({ call }: typeof child) => bodyOf(await call(api.readSeries, { params: { id: series.id } }))

  const {
    metadata,
    externalIds,
    externalLinks,
    externalRatings,
    firstYear,
    lastYear,
    readCount,
    lastCompletedAt,
    ...listed
  } = await ask(everybody)
  expect([firstYear, lastYear, readCount, lastCompletedAt]).toEqual([null, null, 0, null])
  expect(listed).toEqual({
    id: series.id,
    libraryId: library.id,
    libraryName: 'Manga',
    title: 'Mixed',
    titleSort: null,
    summary: null,
    publisher: null,
    year: null,
    bookCount: 4,
    unreadCount: 4,
    readingStatus: null,
    following: false,
    localMaxVolume: 9,
    localMaxChapter: 40,
    volumesOwned: 3,
    oneShot: false,
    oneShotBookId: null,
    authors: [],
    hasCustomCover: false,
    selectedCoverSource: null,
    wantToRead: false,
    coverVersion: `0-7-${first.slice(-8)}`,
    placeholder: 'first',
    tone: null,
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-01T10:00:00.000Z',
  })
  expect(metadata).toMatchObject({
    ...fields,
    publisherLock: true,
    statusLock: false,
    authors: [],
    customMetadataLock: false,
  })
  expect([externalIds, externalLinks, externalRatings]).toEqual([[], [], []])
  expect(bodyOf(await everybody.call(api.listSeries, {})).data).toEqual([listed])
  expect(await ask(child)).toMatchObject({
    bookCount: 2,
    unreadCount: 2,
    localMaxVolume: 2,
    localMaxChapter: 3.5,
    volumesOwned: 1,
    wantToRead: false,
    coverVersion: `0-4-${second.slice(-8)}`,
    placeholder: 'second',
    tone: { tone: '#b0883d' },
  })
  expect(bodyOf(await child.call(api.listSeries, {})).data).toMatchObject([{ bookCount: 2, localMaxVolume: 2 }])
})

test('W9 a series with a cover of its own shows that', async () => {
  await using server = await startServer()
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { cover_id: 'own', cover_version: 5 })
  await addBooks(db, series, [{ cover_version: 7, placeholder: 'first', tone: '#111111#222222#333333' }])
  await db.write((db) =>
    db
      .insertInto('cover')
      .values({
        id: 'own',
        entity: 'series',
        entity_id: series.id,
        source: 'upload',
        page: null,
        width: null,
        height: null,
        placeholder: 'own',
        tone: '#b0883d#7d5300#d1a557',
        content_hash: 'x',
        created_at: '2026-11-01T10:00:00.000Z',
        by_user_id: null,
      })
      .execute(),
  )
  const { call } = await server.person('reader')

  expect(bodyOf(await call(api.readSeries, { params: { id: series.id } }))).toMatchObject({
    hasCustomCover: true,
    selectedCoverSource: 'upload',
    wantToRead: false,
    coverVersion: '5',
    placeholder: 'own',
    tone: { tone: '#b0883d', onLight: '#7d5300', onDark: '#d1a557' },
  })
})

test('HTTP-5 W10 books are listed by name, in a series by their place, and by time; libraries and series filter', async () => {
  await using server = await startServer()
  const { db } = server.context
  const manga = await addLibrary(db, { name: 'Manga' })
  const comics = await addLibrary(db, { name: 'Comics', path: '/data/comics' })
  const series = await addSeries(db, manga, { title: 'S' })
  const time = (minute: number) => `2026-11-02T10:0${minute}:00.000Z`
  await addBooks(db, series, [
    { title: 'Vol. 10', number: 10, created_at: time(1), updated_at: time(3) },
    { title: 'vol. 2', number: 2, created_at: time(2), updated_at: time(2) },
    { title: 'A special', number: 99, created_at: time(3), updated_at: time(1) },
  ])
  await addBooks(db, await addSeries(db, comics, { title: 'C' }), [
    { title: 'Vol. 3', created_at: time(0), updated_at: time(0) },
  ])
  const { call } = await server.person('reader')
  const titles = ({ data, total }: { data: readonly api.BookDto[]; total: number }) => {
    expect(total).toBe(data.length)
    return data.map(({ title }) => title)
  }
  const all = async (query: NonNullable<Parameters<typeof ask>[0]>) => titles(bodyOf(await ask(query)))
  const ask = (query: {
    sort?: 'name,desc' | 'createdAt,asc' | 'updatedAt,desc' | 'number,asc' | 'number,desc'
    libraryId?: string
    seriesId?: string
  }) => call(api.listBooks, { query })

  expect(await all({})).toEqual(['A special', 'vol. 2', 'Vol. 3', 'Vol. 10'])
  expect(await all({ sort: 'name,desc' })).toEqual(['Vol. 10', 'Vol. 3', 'vol. 2', 'A special'])
  expect(await all({ sort: 'createdAt,asc' })).toEqual(['Vol. 3', 'Vol. 10', 'vol. 2', 'A special'])
  expect(await all({ sort: 'updatedAt,desc' })).toEqual(['Vol. 10', 'vol. 2', 'A special', 'Vol. 3'])
  expect(await all({ libraryId: comics.id })).toEqual(['Vol. 3'])
  expect(await all({ seriesId: series.id })).toEqual(['vol. 2', 'Vol. 10', 'A special'])
  expect(await all({ seriesId: series.id, libraryId: comics.id })).toEqual([])
  expect(await all({ seriesId: series.id, sort: 'number,desc' })).toEqual(['A special', 'Vol. 10', 'vol. 2'])
  expect(await all({ sort: 'number,asc' })).toEqual(['Vol. 3', 'vol. 2', 'Vol. 10', 'A special'])
  expect(titles(bodyOf(await call(api.listBooksOfSeries, { params: { id: series.id } })))).toEqual([
    'vol. 2',
    'Vol. 10',
    'A special',
  ])
  expect(titles(bodyOf(await call(api.listBooksOfLibrary, { params: { id: manga.id } })))).toEqual([
    'A special',
    'vol. 2',
    'Vol. 10',
  ])
})

test('HTTP-5 series are listed by name in natural order and by time, those without books not at all', async () => {
  await using server = await startServer()
  const { db } = server.context
  const manga = await addLibrary(db, { name: 'Manga' })
  const time = (minute: number) => `2026-11-02T10:0${minute}:00.000Z`
  const added = await addManySeries(db, manga, [
    { title: 'Part 10', created_at: time(1), updated_at: time(2) },
    { title: 'part 9', created_at: time(2), updated_at: time(3) },
    { title: 'Éclair', created_at: time(3), updated_at: time(1) },
    { title: 'Empty' },
  ])
  for (const series of added.slice(0, 3)) await addBooks(db, series, [{}])
  const { call } = await server.person('reader')
  const titles = async (sort?: 'name,desc' | 'createdAt,desc' | 'updatedAt,asc') =>
    bodyOf(await call(api.listSeries, { query: { ...(sort && { sort }) } })).data.map(({ title }) => title)

  expect(await titles()).toEqual(['Éclair', 'part 9', 'Part 10'])
  expect(await titles('name,desc')).toEqual(['Part 10', 'part 9', 'Éclair'])
  expect(await titles('createdAt,desc')).toEqual(['Éclair', 'part 9', 'Part 10'])
  expect(await titles('updatedAt,asc')).toEqual(['Éclair', 'Part 10', 'part 9'])
  expect(bodyOf(await call(api.listSeriesOfLibrary, { params: { id: manga.id } })).total).toBe(3)
})

test('W11 a missing book can be read, and is in lists and totals only when asked for', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const series = await addSeries(db, library)
  const titles = ['Vol. 1', 'Vol. 2', 'Vol. 3', 'Vol. 4']
  const states = ['present', 'missing', 'present', 'missing'] as const
  const ids = await addBooks(
    db,
    series,
    titles.map((title, index) => ({ title, state: states[index] ?? 'present' })),
  )
  const { call } = await server.person('reader')

  expect(bodyOf(await call(api.readBook, { params: { id: ids[1] ?? '' } })).deleted).toBe(true)
  for (const sort of ['name,asc', 'createdAt,asc', 'updatedAt,asc'] as const) {
    for (const filter of [{}, { libraryId: library.id }, { seriesId: series.id }]) {
      const listed = async (includeDeleted: boolean) => {
        const pages = await Promise.all(
          [1, 2].map(async (page) =>
            bodyOf(await call(api.listBooks, { query: { ...filter, sort, includeDeleted, page, pageSize: 3 } })),
          ),
        )
        return [pages[0]?.total, ...pages.flatMap(({ data }) => data.map(({ title }) => title))]
      }
      expect([sort, filter, ...(await listed(false))]).toEqual([sort, filter, 2, 'Vol. 1', 'Vol. 3'])
      expect([sort, filter, ...(await listed(true))]).toEqual([sort, filter, 4, ...titles])
    }
  }
  expect(bodyOf(await call(api.readSeries, { params: { id: series.id } }))).toMatchObject({ bookCount: 2 })
})

test('HTTP-4 pages neither repeat nor drop a book, for those who see all and for those who do not', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const same = { title: 'The same', sort_key: 'same' }
  const series = await addSeries(db, library)
  await addBooks(
    db,
    series,
    Array.from({ length: 23 }, (_, index) => ({ ...same, fileName: `${index}.cbz`, age_rating: index % 2 ? 6 : 18 })),
  )
  const everybody = await server.person('reader')
  const child = await server.person('reader', { access: { ageCeiling: 12 } })

  for (const [{ call }, count] of [
    [everybody, 23],
    [child, 11],
  ] as const) {
    for (const sort of ['name,asc', 'name,desc', 'createdAt,asc', 'updatedAt,desc'] as const) {
      const seen: string[] = []
      for (let page = 1; page <= 5; page += 1) {
        const { data, total } = bodyOf(await call(api.listBooks, { query: { sort, page, pageSize: 5 } }))
        expect(total).toBe(count)
        seen.push(...data.map(({ id }) => id))
      }
      expect([sort, seen.length, new Set(seen).size]).toEqual([sort, count, count])
    }
  }
})

test('HTTP-6 records have an ETag, and who has them already gets nothing more', async () => {
  await using server = await startServer()
  const { db } = server.context
  const [id = ''] = await addBooks(db, await addSeries(db, await addLibrary(db)), [{}])
  const reader = await server.person('reader')
  const { headers } = await reader.call(api.readBook, { params: { id } })
  const conditional = { authorization: `Bearer ${reader.accessToken}`, 'if-none-match': headers.get('etag') ?? '' }

  expect((await fetch(`${server.url}/api/v1/books/${id}`, { headers: conditional })).status).toBe(304)
})

test('C3 W8 W9 a series changes hands with its sharing tags: who loses it hears that it is gone, who gains it that it is there', async () => {
  await using server = await startServer()
  const { db } = server.context
  const family = await createTag(server, 'Family')
  const secret = await createTag(server, 'Secret')
  const library = await addLibrary(db)
  const series = await addSeries(db, library, { sharingTags: [family] })
  const [book = ''] = await addBooks(db, series, [{}])
  const editor = await server.person('editor')
  const relative = await server.person('reader', { access: { allowTags: [family] } })
  const friend = await server.person('reader', { access: { denyTags: [family] } })
  const params = { id: series.id }
  const statuses = async () => [
    (await relative.call(api.readSeries, { params })).status,
    (await relative.call(api.readBook, { params: { id: book } })).status,
    (await friend.call(api.readSeries, { params })).status,
    (await friend.call(api.readBook, { params: { id: book } })).status,
  ]
  expect(await statuses()).toEqual([200, 200, 404, 404])
  expect(bodyOf(await editor.call(api.readSeriesSharingTags, { params }))).toEqual({
    tagIds: [family],
    sharingTags: [{ id: family, name: 'Family' }],
  })

  const saved = bodyOf(await editor.call(api.saveSeriesSharingTags, { params, body: { tagIds: [secret] } }))
  expect(saved).toEqual({ tagIds: [secret], sharingTags: [{ id: secret, name: 'Secret' }] })
  expect(await statuses()).toEqual([404, 404, 200, 200])
  const events = async () => {
    const rows = await db.read
      .selectFrom('event')
      .select(['type', 'library_id', 'sharing_tags'])
      .orderBy('id')
      .execute()
    return rows.filter(({ type }) => type.startsWith('series_')).map(({ type, sharing_tags }) => [type, sharing_tags])
  }
  expect(await events()).toEqual([
    ['series_deleted', JSON.stringify([family])],
    ['series_created', JSON.stringify([secret])],
    // For those who saw it before and see it still.
    ['series_updated', JSON.stringify([secret])],
  ])

  bodyOf(await editor.call(api.saveSeriesSharingTags, { params, body: { tagIds: [secret] } }))
  expect(await events()).toHaveLength(3)
  expect(
    errorOf(await editor.call(api.saveSeriesSharingTags, { params, body: { tagIds: [secret, library.id] } })),
  ).toMatchObject({
    error: 'validation_failed',
    details: [{ path: '/tagIds/1' }],
  })
  const limited = await server.person('editor', { access: { denyTags: [secret] } })
  expect((await limited.call(api.saveSeriesSharingTags, { params, body: { tagIds: [] } })).status).toBe(404)
  expect(bodyOf(await editor.call(api.saveSeriesSharingTags, { params, body: { tagIds: [] } })).tagIds).toEqual([])
})

test('W2 a page asked for again has the same bytes and tag, and others as soon as anybody has changed it', async () => {
  await using server = await startServer()
  const { db } = server.context
  const { accessToken } = await server.person('reader')
  const series = await addSeries(db, await addLibrary(db))
  const read = async (more: Readonly<Record<string, string>> = {}) => {
    const headers = { authorization: `Bearer ${accessToken}`, ...more }
    const { statusCode, headers: got, body } = await server.app.inject({ url: '/api/v1/books', headers })
    return { statusCode, etag: String(got.etag), link: got.link, length: got['content-length'], body }
  }
  const empty = await read()

  await addBooks(db, series, [{ title: 'Ökonomie' }])
  const full = await read()

  expect(JSON.parse(full.body)).toMatchObject({ total: 1, data: [{ title: 'Ökonomie' }] })
  expect(full.length).toBe(String(Buffer.byteLength(full.body)))
  expect(await read()).toEqual(full)
  expect(full.etag).not.toBe(empty.etag)
  expect(await read({ 'if-none-match': full.etag })).toMatchObject({ statusCode: 304, body: '' })
  expect(await read({ 'if-none-match': empty.etag })).toEqual(full)
})

test('E1 W10 the books of a series stand by their number, however they are asked for', async () => {
  await using server = await startServer()
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Salt' })
  const titles = ['Tide', 'Anchor', 'Moor', 'Brine']
  const ids = await addBooks(
    db,
    series,
    [1, 5, 15, 25].map((number, index) => ({ number, title: titles[index] ?? '' })),
  )
  const other = await addSeries(db, series.library, { title: 'Pepper' })
  await addBooks(db, other, [{ title: 'Corn' }])
  const { call } = await server.person('reader')
  const numbered = (books: readonly api.BookDto[]) => books.map(({ title }) => title)
  const numbersFor = async (
    body: api.BookListQuery,
    query: { sort?: 'number,asc' | 'number,desc' | 'name,asc' } = {},
  ) => numbered(bodyOf(await call(api.listBooksByCondition, { query, body })).data)

  const params = { id: series.id }
  const seriesId = { operator: 'is', value: series.id } as const
  expect(numbered(bodyOf(await call(api.listBooksOfSeries, { params })).data)).toEqual(titles)
  expect(numbered(bodyOf(await call(api.listBooks, { query: { seriesId: series.id } })).data)).toEqual(titles)
  expect(await numbersFor({ condition: { seriesId } })).toEqual(titles)
  expect(await numbersFor({ condition: { seriesId } }, { sort: 'number,asc' })).toEqual(titles)
  expect(await numbersFor({ condition: { seriesId } }, { sort: 'number,desc' })).toEqual(titles.toReversed())
  expect(await numbersFor({ condition: { seriesId } }, { sort: 'name,asc' })).toEqual(titles.toSorted())
  expect(await numbersFor({ condition: { seriesId: { operator: 'in', values: [series.id.toUpperCase()] } } })).toEqual(
    titles,
  )
  const unread = { readStatus: { operator: 'is', value: 'unread' } } as const
  expect(await numbersFor({ condition: { allOf: [unread, { allOf: [{ seriesId }] }] } })).toEqual(titles)
  expect(
    await numbersFor({ condition: { allOf: [{ seriesId }, { not: { title: { operator: 'is', value: 'Moor' } } }] } }),
  ).toEqual(titles.filter((title) => title !== 'Moor'))
  const elsewhere = { seriesId: { operator: 'is', value: other.id } } as const
  expect(await numbersFor({ condition: { allOf: [{ seriesId }, elsewhere] } })).toEqual([])
  expect(await numbersFor({ condition: { anyOf: [{ seriesId }, elsewhere] } })).toEqual([...titles, 'Corn'].toSorted())

  const walked = [ids[0] ?? '']
  for (let next = walked[0]; next !== undefined;) {
    next = bodyOf(await call(api.readAdjacentBooks, { params: { id: next } })).next?.id
    if (next !== undefined) walked.push(next)
  }
  expect(walked).toEqual(ids)
})
