import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { download, endOf, exported, made } from '../../../test/exporting.ts'
import { day, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { build, comics, everything, idOf, manga, seers, sees, world } from '../../../test/visible-world.ts'
import { workOn } from '../../../test/work.ts'
import { cancelTask } from '../../tasks/queue.ts'
import { cleanUpExports, exportCatalogue } from './tasks.ts'

const { clock, pass } = movableClock()
let server: TestServer
let admin: Person
let folder = ''
beforeAll(async () => {
  server = await startServer({ clock })
  folder = join(server.context.config.dataDir, 'exports')
  await build(server.context.db, everything)
  admin = await server.person('admin')
})
afterAll(() => server[Symbol.asyncDispose]())

const ask = (person: Person, body: api.CreateSeriesExportRequest) => person.call(api.createSeriesExport, { body })
const start = async (person: Person, body: api.CreateSeriesExportRequest): Promise<string> =>
  bodyOf(await ask(person, body)).id
const read = (person: Person, id: string) => person.call(api.readSeriesExport, { params: { id } })
const remove = (person: Person, id: string) => person.call(api.removeSeriesExport, { params: { id } })
const listed = async (person: Person) => bodyOf(await person.call(api.listSeriesExports, {})).exports
const set = (key: string, value: unknown) =>
  admin.call(api.saveSetting, { params: { key }, body: { value } }).then(bodyOf)
const files = async () => (await readdir(folder)).filter((name) => !name.startsWith('.'))

type Lines = readonly Readonly<Record<string, unknown>>[]
const linesOf = (text: string): Lines => JSON.parse(text) as Lines

test('C16 an export is asked for, made by a worker, and fetched, as a whole or in parts', async () => {
  const owner = await server.person('reader')
  const accepted = await ask(owner, {
    format: 'csv',
    fields: ['year', 'publisher', 'series_name'],
    libraryIds: [comics],
  })
  expect(accepted.status).toBe(202)
  const { id, ...job } = bodyOf(accepted)
  expect(job).toEqual({
    exportType: 'series',
    format: 'csv',
    fields: ['series_name', 'year', 'publisher'],
    bookFields: [],
    libraryIds: [comics],
    status: 'pending',
    taskId: expect.any(String),
    progress: null,
    rowCount: null,
    fileSizeBytes: null,
    error: null,
    createdAt: clock().toISOString(),
    startedAt: null,
    completedAt: null,
    expiresAt: new Date(clock().getTime() + 7 * day).toISOString(),
  })
  const early = await download(server, owner, id)
  expect([early.status, await early.json()]).toMatchObject([
    409,
    { message: 'This export is pending: there is no file yet.' },
  ])

  const done = await made(server, owner, id)
  const text = 'series_name,year,publisher\r\nSeries 7,2003,Odd\r\nSeries 8,2000,Even\r\n'
  expect(done).toMatchObject({
    status: 'completed',
    rowCount: 2,
    fileSizeBytes: text.length,
    progress: null,
    error: null,
  })
  expect(await listed(owner)).toEqual([done])
  const full = await download(server, owner, id)
  expect([full.status, full.headers.get('content-type'), full.headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="carrel-series-2026-11-21.csv"',
  ])
  expect(await full.text()).toBe(text)
  const part = await download(server, owner, id, { range: 'bytes=12-15' })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    `bytes 12-15/${text.length}`,
    'year',
  ])
  const unchanged = await download(server, owner, id, { 'if-none-match': full.headers.get('etag') ?? '' })
  expect(unchanged.status).toBe(304)

  expect((await remove(owner, id)).status).toBe(204)
  expect((await read(owner, id)).status).toBe(404)
  expect(await files()).toEqual([])
})

test("HTTP-3 an export is its owner's: nobody else sees it, fetches it or removes it", async () => {
  const owner = await server.person('reader')
  const id = await start(owner, { format: 'json' })
  await made(server, owner, id)
  for (const other of [admin, await server.person('reader')]) {
    expect((await read(other, id)).status).toBe(404)
    expect((await remove(other, id)).status).toBe(404)
    expect((await download(server, other, id)).status).toBe(404)
    expect(await listed(other)).toEqual([])
  }
  expect(await listed(owner)).toHaveLength(1)
  bodyOf(await remove(owner, id))
})

test.each(Object.entries(seers))(
  'AUTH-7 HTTP-3 with %s an export has what a naive filter would leave',
  async (...[, seer]) => {
    const person = await server.person(seer.role, { access: seer.access })
    const lines = linesOf(
      await exported(server, person, {
        format: 'json',
        exportType: 'both',
        fields: ['series_id', 'actual_book_count'],
        bookFields: ['book_id', 'series_id'],
      }),
    )
    const libraries = [...new Set(world.map(({ library }) => library))]
    const seen = world
      .map((series, number) => ({
        number,
        series,
        isSeen: sees(seer.rule, series, series.rating),
        books: [...series.books.entries()].filter(
          ([, { rating, isMissing }]) => !isMissing && sees(seer.rule, series, rating),
        ),
      }))
      .toSorted((one, other) => libraries.indexOf(one.series.library) - libraries.indexOf(other.series.library))
    const ofSeries = seen
      .filter(({ isSeen, books }) => books.length > 0 && isSeen)
      .map(({ number, series, books }) => ({
        type: 'series',
        // Only a book that is rated higher gives this title.
        series_name: series.isTold && seer.rule.ageCeiling === null ? 'Series 9 1' : `Series ${number}`,
        series_id: idOf('series', number),
        actual_book_count: books.length,
      }))
    const ofBooks = seen.flatMap(({ number, isSeen, books }) =>
      books.map(([position]) => ({
        type: 'book',
        book_name: `Series ${number} ${position + 1}`,
        book_id: idOf('book', number * 10 + position),
        series_id: isSeen ? idOf('series', number) : null,
      })),
    )
    expect(lines).toEqual([...ofSeries, ...ofBooks])
  },
)

test('AUTH-7 whoever may see less when it is made than when they asked gets less', async () => {
  const owner = await server.person('reader')
  const id = await start(owner, { format: 'json', fields: ['library_id'] })
  const everywhere = linesOf(await exported(server, owner, { format: 'json', fields: ['library_id'] }))
  expect(new Set(everywhere.map(({ library_id }) => library_id))).toEqual(new Set([manga, comics]))
  bodyOf(await remove(owner, id))

  const later = await start(owner, { format: 'json', fields: ['library_id'] })
  bodyOf(await admin.call(api.updateUser, { params: { id: owner.id }, body: { access: { libraries: [comics] } } }))
  await made(server, owner, later)
  const lines = linesOf(await (await download(server, owner, later)).text())
  expect(lines.map(({ library_id }) => library_id)).toEqual([comics, comics])
})

test('AUTH-7 what was made for a wider view is not to be had once the view has narrowed', async () => {
  const owner = await server.person('reader')
  const id = await start(owner, { format: 'json' })
  await made(server, owner, id)
  expect((await download(server, owner, id)).status).toBe(200)
  bodyOf(await admin.call(api.updateUser, { params: { id: owner.id }, body: { access: { ageCeiling: 12 } } }))
  expect((await download(server, owner, id)).status).toBe(409)
})

test('C18 it shows what one reader has read, thinks and wants, beside what is known to all', async () => {
  const library = await addLibrary(server.context.db, { name: 'Own', path: '/data/own' })
  const metadata = JSON.stringify({
    authors: [{ name: 'Ann', role: 'writer' }, { name: 'Bo' }],
    genres: ['Comedy', 'Drama; slow'],
    alternateTitles: [{ label: 'English', title: 'Other' }],
    externalIds: [{ source: 'anilist', id: '7' }],
    totalVolumeCount: 4,
  })
  const series = await addSeries(server.context.db, library, { title: '=Own', metadata })
  const [first = '', second = ''] = await addBooks(server.context.db, series, [{ page_count: 10 }, { page_count: 10 }])
  const owner = await server.person('reader')
  const [other, editor] = [await server.person('reader'), await server.person('editor')]
  const params = { id: series.id }
  for (const [person, rating] of [
    [owner, 80],
    [other, 40],
  ] as const)
    bodyOf(await person.call(api.saveSeriesRating, { params, body: { rating, notes: `${rating} of 100` } }))
  bodyOf(await owner.call(api.saveProgress, { params: { id: first }, body: { currentPage: 5 } }))
  bodyOf(await owner.call(api.markBookRead, { params: { id: second } }))
  bodyOf(await owner.call(api.addWantToRead, { body: { seriesId: series.id } }))
  const { id: collectionId } = bodyOf(await editor.call(api.createCollection, { body: { name: 'Good' } }))
  bodyOf(await editor.call(api.addToCollection, { params: { id: collectionId }, body: { seriesIds: [series.id] } }))

  const fields: api.SeriesExportField[] = [
    'authors',
    'genres',
    'alternate_titles',
    'external_ids',
    'collections',
    'expected_book_count',
    'unread_book_count',
    'progress',
    'user_rating',
    'user_notes',
    'want_to_read',
    'community_avg_rating',
    'path',
  ]
  const body = { fields, libraryIds: [library.id] }
  expect(linesOf(await exported(server, owner, { ...body, format: 'json' }))).toEqual([
    {
      type: 'series',
      series_name: '=Own',
      authors: ['Ann (writer)', 'Bo'],
      genres: ['Comedy', 'Drama; slow'],
      alternate_titles: ['Other'],
      external_ids: ['anilist:7'],
      collections: ['Good'],
      expected_book_count: 4,
      unread_book_count: 1,
      progress: 50,
      user_rating: 80,
      user_notes: '80 of 100',
      want_to_read: true,
      community_avg_rating: 60,
      path: null,
    },
  ])
  expect(await exported(server, owner, { ...body, fields: ['genres', 'user_rating'], format: 'csv' })).toBe(
    "series_name,genres,user_rating\r\n'=Own,Comedy; Drama; slow,80\r\n",
  )
  const bookFields: api.BookExportField[] = ['progress', 'current_page', 'completed', 'file_name', 'user_rating']
  const books = { exportType: 'books' as const, bookFields, libraryIds: [library.id] }
  expect(await exported(server, owner, { ...books, format: 'md' })).toBe(
    [
      '# Books',
      '## =Own 1',
      '- **Read, in percent:** 50\n- **At page:** 5\n- **Read:** no',
      '## =Own 2',
      '- **Read, in percent:** 100\n- **At page:** 10\n- **Read:** yes',
      '',
    ].join('\n\n'),
  )
  // Whoever manages libraries sees paths, but nobody else's opinion.
  expect(linesOf(await exported(server, editor, { ...books, format: 'json' }))[0]).toMatchObject({
    progress: 0,
    current_page: null,
    completed: false,
    file_name: '=Own 1.cbz',
    user_rating: null,
  })
})

test('CAT-4 exports are narrowed by the same conditions as lists', async () => {
  const lines = linesOf(
    await exported(server, admin, {
      format: 'json',
      exportType: 'both',
      libraryIds: [manga, comics],
      condition: { year: { operator: 'eq', value: 2001 } },
      bookCondition: { seriesId: { operator: 'is', value: idOf('series', 7) } },
    }),
  )
  expect(lines.map(({ series_name, book_name }) => series_name ?? book_name)).toEqual([
    'Series 1',
    'Series 5',
    'Series 7 1',
    'Series 7 2',
  ])
  const refused = [
    [{ format: 'json', condition: { nonsense: {} } }, '/condition/nonsense'],
    [{ format: 'json', bookCondition: { allOf: [] } }, '/bookCondition'],
    [{ format: 'json', exportType: 'books', fields: ['year'] }, '/fields'],
    [{ format: 'csv', exportType: 'both' }, '/format'],
    [{ format: 'json', libraryIds: [manga, idOf('library', 9)] }, '/libraryIds/1'],
  ] as unknown as [api.CreateSeriesExportRequest, string][]
  for (const [body, path] of refused) {
    const outcome = await ask(admin, body)
    expect([outcome.status, errorOf(outcome)]).toMatchObject([400, { details: [{ path }] }])
  }
})

test('C4 HTTP-3 a library out of sight is none, and a key gets no more than it could read by itself', async () => {
  const owner = await server.person('reader', { access: { libraries: [manga] } })
  expect((await ask(owner, { format: 'json', libraryIds: [comics] })).status).toBe(400)
  const { key } = bodyOf(await owner.call(api.createApiKey, { body: { name: 'Series', permissions: ['series:read'] } }))
  const call = server.callWith({ 'x-api-key': key })
  const create = (body: api.CreateSeriesExportRequest) => call(api.createSeriesExport, { body })
  expect((await create({ format: 'json', exportType: 'books' })).status).toBe(403)
  expect((await create({ format: 'json', fields: ['collections'] })).status).toBe(403)
  expect((await create({ format: 'json' })).status).toBe(202)
  const id = await start(owner, { format: 'json', exportType: 'books' })
  await made(server, owner, id)
  const url = `${server.url}/api/v1/user/exports/series/${id}/download`
  expect((await fetch(url, { headers: { 'x-api-key': key } })).status).toBe(403)
})

test('CFG-4 three at a time, ten in all: more are refused, and the oldest go', async () => {
  const owner = await server.person('reader')
  const body = { format: 'json' } as const
  await set('exports.max_per_user', 4)
  const ids: string[] = []
  for (let round = 0; round < 3; round += 1) ids.push(await start(owner, body))
  const refused = await ask(owner, body)
  expect([refused.status, errorOf(refused).error]).toEqual([409, 'conflict'])
  expect((await ask(await server.person('reader'), body)).status).toBe(202)
  for (const id of ids) await made(server, owner, id)
  const [oldest = ''] = ids
  for (let round = 0; round < 2; round += 1) {
    pass(1000)
    ids.push(await start(owner, body))
  }
  expect((await listed(owner)).map(({ id }) => id)).toEqual(ids.slice(1).toReversed())
  expect((await download(server, owner, oldest)).status).toBe(404)
  await set('exports.max_concurrent_per_user', 2)
  expect((await ask(owner, body)).status).toBe(409)
  for (const id of ids.slice(3)) expect((await remove(owner, id)).status).toBe(204)
  const third = await start(owner, body)
  expect((await listed(owner)).map(({ id }) => id)).toEqual([third, ...ids.slice(1, 3).toReversed()])
  await set('exports.max_concurrent_per_user', 3)
  await set('exports.max_per_user', 10)
})

test('CFG-4 all exports together take no more room than they may: the oldest go, whosever they are', async () => {
  const { db } = server.context
  const owner = await server.person('reader')
  const sized = async (person: Person, size: number) => {
    pass(1000)
    const id = await start(person, { format: 'json' })
    await made(server, person, id)
    await db.write((db) => db.updateTable('series_export').set({ size }).where('id', '=', id).execute())
    return id
  }
  const [first, second] = [await sized(owner, 60_000_000), await sized(admin, 44_857_600)]
  await set('exports.storage_cap_bytes', 104_857_600)
  const third = await start(owner, { format: 'json' })
  await made(server, owner, third)
  expect(
    [await read(owner, first), await read(admin, second), await read(owner, third)].map(({ status }) => status),
  ).toEqual([404, 200, 200])
  const rows = await db.read.selectFrom('series_export').select('file_name').execute()
  expect((await files()).sort()).toEqual(rows.flatMap(({ file_name }) => file_name ?? []).sort())
  await set('exports.storage_cap_bytes', 2_147_483_648)
})

test('CFG-4 one that alone is larger than all may be is not made, and says so', async () => {
  const owner = await server.person('reader')
  const id = await start(owner, { format: 'json' })
  const before = await readdir(folder)
  const { settings } = server.context
  const small = (key: string) => (key === 'exports.storage_cap_bytes' ? 100 : settings.get(key as 'backup.keep'))
  const inSmallRoom = {
    ...exportCatalogue,
    run: (...[payload, context, around]: Parameters<typeof exportCatalogue.run>) =>
      exportCatalogue.run(payload, context, {
        ...around,
        settings: { ...settings, get: small as typeof settings.get },
      }),
  }
  await using _ = workOn(server, [inSmallRoom])
  expect(await endOf(owner, id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^It would take more/),
  })
  expect(await readdir(folder)).toEqual(before)
})

test('C16 one called off leaves nothing behind, whether it waits or runs', async () => {
  const owner = await server.person('editor')
  const waiting = await start(owner, { format: 'json' })
  const { taskId } = bodyOf(await read(owner, waiting))
  bodyOf(await remove(owner, waiting))
  const tasks = () => server.context.db.read.selectFrom('task').select(['id', 'status']).execute()
  expect(await tasks()).toContainEqual({ id: taskId, status: 'cancelled' })

  const cancelled = await start(owner, { format: 'json' })
  const { taskId: second } = bodyOf(await read(owner, cancelled))
  await server.context.db.write((db) => cancelTask(db, second ?? '', clock()))
  expect(bodyOf(await read(owner, cancelled))).toMatchObject({ status: 'cancelled', error: null })
  bodyOf(await owner.call(api.retryTask, { params: { id: second ?? '' } }))
  expect(await made(server, owner, cancelled)).toMatchObject({ status: 'completed' })

  const before = await files()
  const removed = await start(owner, { format: 'json' })
  const definition = {
    ...exportCatalogue,
    run: async (...[payload, context, environment]: Parameters<typeof exportCatalogue.run>) => {
      bodyOf(await remove(owner, removed))
      await waitUntil('the word to stop', () => context.signal.aborted)
      return exportCatalogue.run(payload, context, environment)
    },
  }
  const { taskId: third } = bodyOf(await read(owner, removed))
  {
    await using _ = workOn(server, [definition])
    await waitUntil('the end', async () =>
      (await tasks()).some(({ id, status }) => id === third && status === 'cancelled'),
    )
  }
  expect(await readdir(folder)).toEqual(before)
})

test('C16 a try that comes to nothing is tried again, and what it left is cleared away at night', async () => {
  const owner = await server.person('reader')
  const id = await start(owner, { format: 'json' })
  await rm(folder, { recursive: true })
  await writeFile(folder, 'in the way')
  const { db } = server.context
  const { taskId } = bodyOf(await read(owner, id))
  await db.write((db) => db.updateTable('task').set({ max_attempts: 1 }).where('id', '=', taskId).execute())
  const failed = await made(server, owner, id)
  expect(failed).toMatchObject({
    status: 'failed',
    error: 'It could not be made. Ask for it again.',
    fileSizeBytes: null,
  })
  await rm(folder)
  await mkdir(folder)
  await db.write((db) => db.updateTable('task').set({ max_attempts: 3 }).where('id', '=', taskId).execute())
  bodyOf(await admin.call(api.retryTask, { params: { id: taskId ?? '' } }))
  expect(await made(server, owner, id)).toMatchObject({ status: 'completed', error: null })

  const [fileName = ''] = await files()
  await writeFile(join(folder, '019aa3b2-0000-7000-8000-000000000001.csv'), 'of a worker that was killed')
  await writeFile(join(folder, 'notes.txt'), 'of somebody')
  await cleaned()
  expect((await files()).sort()).toEqual([fileName, 'notes.txt'].sort())

  const past = new Date(clock().getTime() - 1).toISOString()
  await db.write((db) => db.updateTable('series_export').set({ expires_at: past }).execute())
  await cleaned()
  expect(await files()).toEqual(['notes.txt'])
  expect((await read(owner, id)).status).toBe(404)
})

const cleaned = async (): Promise<void> => {
  const { taskId } = bodyOf(await admin.call(api.startTask, { body: { taskType: 'cleanup_exports' } }))
  await using _ = workOn(server, [cleanUpExports])
  await waitUntil(
    'the end of the clean-up',
    async () => bodyOf(await admin.call(api.readTask, { params: { id: taskId } })).status === 'completed',
  )
}

test('HTTP-3 a user who has gone leaves no export, and one who may not come in gets none', async () => {
  const owner = await server.person('reader')
  await made(server, owner, await start(owner, { format: 'json' }))
  const other = await start(owner, { format: 'json' })
  const { taskId: otherTask } = bodyOf(await read(owner, other))
  bodyOf(await admin.call(api.updateUser, { params: { id: owner.id }, body: { isActive: false } }))
  const task = async (id: string | null) => bodyOf(await admin.call(api.readTask, { params: { id: id ?? '' } }))
  {
    await using _ = workOn(server, [exportCatalogue])
    expect(
      await waitUntil('the end', async () => {
        const now = await task(otherTask)
        return now.completedAt === null ? undefined : now
      }),
    ).toMatchObject({ status: 'failed' })
  }
  bodyOf(await admin.call(api.deleteUser, { params: { id: owner.id } }))
  const { db } = server.context
  expect(await db.read.selectFrom('series_export').select('id').where('user_id', '=', owner.id).execute()).toEqual([])
  await cleaned()
  const rows = await db.read.selectFrom('series_export').select('file_name').execute()
  expect((await files()).filter((name) => name !== 'notes.txt').sort()).toEqual(
    rows.flatMap(({ file_name }) => file_name ?? []).sort(),
  )
})
