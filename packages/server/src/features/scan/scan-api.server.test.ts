import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { calibreOpf, comicInfoXml, seriesJson } from '../../../test/books/metadata.ts'
import { openStream } from '../../../test/event-stream.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { newId } from '../../platform/ids.ts'
import { librarySchedules } from './schedules.ts'
import { analyseLibrary, regroupLibrary, scanLibrary } from './tasks.ts'

test('C9 a library is scanned when somebody asks, and twice at once is once', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  const { call } = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.path], scanNow: false }
  const { id } = bodyOf(await call(api.createLibrary, { body }))
  expect((await call(api.readScanStatus, { params: { id } })).status).toBe(204)

  const first = bodyOf(await call(api.scanLibrary, { params: { id } }))
  const second = bodyOf(await call(api.scanLibrary, { params: { id }, body: { mode: 'full' } }))

  expect(first.alreadyRunning).toBe(false)
  expect(second).toEqual({ ...first, alreadyRunning: true })
  expect(bodyOf(await call(api.readScanStatus, { params: { id } }))).toMatchObject({
    id: first.scanId,
    status: 'pending',
  })
  expect((await call(api.cancelScan, { params: { id } })).status).toBe(202)
  expect(bodyOf(await call(api.readScanStatus, { params: { id } }))).toMatchObject({ status: 'cancelled' })
  expect(errorOf(await call(api.cancelScan, { params: { id } }))).toMatchObject({ error: 'conflict' })
  expect(bodyOf(await call(api.listScans, { params: { id } })).total).toBe(1)
})

test('C9 what is left of a scan is reckoned by the files that were written, not by those that are as they were', async () => {
  const { clock, pass } = movableClock('2026-11-30T12:00:00.000Z')
  await using server = await startServer({ clock })
  await using folder = await libraryFolder()
  const { call } = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.path], scanNow: false }
  const { id } = bodyOf(await call(api.createLibrary, { body }))
  const { scanId } = bodyOf(await call(api.scanLibrary, { params: { id } }))
  const changes = { status: 'processing' as const, phase: 'applying' as const, started_at: clock().toISOString() }
  const figures = { files_total: 10_000, files_processed: 9100, books_added: 80, books_updated: 20 }
  await server.context.db.write((db) =>
    db
      .updateTable('scan')
      .set({ ...changes, ...figures })
      .where('id', '=', scanId)
      .execute(),
  )
  pass(minute / 6)

  const scan = bodyOf(await call(api.readScanStatus, { params: { id } }))
  expect(scan).toMatchObject({ ratePerSecond: 10, secondsLeft: 90 })
})

test('B7 C9 the newest scan is the last that was asked for, whatever the clock said', async () => {
  const { clock, pass } = movableClock(new Date().toISOString())
  await using server = await startServer({ clock })
  await using folder = await libraryFolder()
  const { call } = await server.person('admin')
  const { id } = bodyOf(
    await call(api.createLibrary, { body: { name: 'Comics', roots: [folder.path], scanNow: false } }),
  )
  const params = { id }
  pass(30 * minute)
  const ahead = bodyOf(await call(api.scanLibrary, { params })).scanId
  await call(api.cancelScan, { params })
  pass(-30 * minute)

  const { scanId } = bodyOf(await call(api.scanLibrary, { params }))

  expect(bodyOf(await call(api.readScanStatus, { params }))).toMatchObject({ id: scanId, status: 'pending' })
  expect(bodyOf(await call(api.listScans, { params })).data.map((scan) => scan.id)).toEqual([scanId, ahead])
  expect((await call(api.cancelScan, { params })).status).toBe(202)
  expect(bodyOf(await call(api.readScanStatus, { params }))).toMatchObject({ id: scanId, status: 'cancelled' })
})

test('G1 C9 a scan that is asked for when one has just ended is another one', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  const { call } = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.path], scanNow: false }
  const params = { id: bodyOf(await call(api.createLibrary, { body })).id }
  const next = Promise.withResolvers<api.StartedScan>()
  const askedAtItsEnd: typeof scanLibrary = {
    ...scanLibrary,
    run: async (...given) => {
      const result = await scanLibrary.run(...given)
      next.resolve(bodyOf(await call(api.scanLibrary, { params, body: { paths: ['A'] } })))
      return result
    },
  }
  await using _ = workOn(server, [askedAtItsEnd])
  const { scanId } = bodyOf(await call(api.scanLibrary, { params }))

  const started = await next.promise

  expect(started.alreadyRunning).toBe(false)
  expect(started.scanId).not.toBe(scanId)
})

test('C9 LIB-1 a scan of one folder looks at that folder alone', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const path of ['A/1.cbz', 'A/2.cbz', 'B/1.cbz', 'B/2.cbz'])
    await folder.write(path, comic({ seed: path.charCodeAt(0) * 7 + path.charCodeAt(2) }))
  const { call } = await server.person('admin')
  const { id } = bodyOf(
    await call(api.createLibrary, { body: { name: 'Comics', roots: [folder.path], scanNow: false } }),
  )
  await scanNow(server, id)
  await rm(folder.in('A/1.cbz'))
  await rm(folder.in('B/1.cbz'))
  await folder.write('A/new.cbz', comic({ seed: 90 }))
  await folder.write('B/new.cbz', comic({ seed: 91 }))

  expect(await scanNow(server, id, 'changes', ['A'])).toMatchObject({
    books_added: 1,
    books_missing: 1,
    files_total: 2,
  })

  const states = [...(await booksOf(server, id))].map(([path, { state }]) => `${path} ${state}`)
  expect(states.sort((one, other) => (one < other ? -1 : 1))).toEqual([
    'A/1.cbz missing',
    'A/2.cbz present',
    'A/new.cbz present',
    'B/1.cbz present',
    'B/2.cbz present',
  ])
  expect(await scanNow(server, id, 'changes', ['/etc'])).toMatchObject({
    status: 'completed_with_errors',
    error_count: 1,
  })
})

test('C10 held removals are listed, refused and confirmed', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (let index = 0; index < 5; index += 1) await folder.write(`A/${index}.cbz`, comic({ seed: index + 1, pages: 1 }))
  const { call } = await server.person('admin')
  const { id } = bodyOf(
    await call(api.createLibrary, { body: { name: 'Comics', roots: [folder.path], scanNow: false } }),
  )
  await scanNow(server, id)
  expect(bodyOf(await call(api.readHeldChanges, { params: { id } }))).toEqual({ held: null })
  await rm(folder.in('A'), { recursive: true })
  await folder.write('other.txt', 'so that the root is not empty')
  await scanNow(server, id)

  const { held } = bodyOf(await call(api.readHeldChanges, { params: { id } }))
  expect(held).toMatchObject({ reason: 'threshold', vanishing: 5, of: 5, folders: [{ path: 'A', count: 5 }] })
  const params = { id, heldId: held?.id ?? '' }
  const items = bodyOf(await call(api.listHeldItems, { params }))
  expect(items.data.map(({ path }) => path).sort()).toEqual(['A/0.cbz', 'A/1.cbz', 'A/2.cbz', 'A/3.cbz', 'A/4.cbz'])
  expect((await call(api.rejectHeldChanges, { params })).status).toBe(204)
  expect(bodyOf(await call(api.readHeldChanges, { params: { id } }))).toEqual({ held: null })
  expect(bodyOf(await call(api.listBooks, {})).total).toBe(5)

  await scanNow(server, id)
  const again = bodyOf(await call(api.readHeldChanges, { params: { id } })).held
  expect((await call(api.confirmHeldChanges, { params: { id, heldId: again?.id ?? '' } })).status).toBe(204)
  expect(bodyOf(await call(api.listBooks, {})).total).toBe(0)
  expect(bodyOf(await call(api.listBooks, { query: { includeDeleted: true } })).total).toBe(5)
})

test('C8 C9 a preview shows what there would be, and another grouping needs one', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('Mixed/Bleach v01.cbz', comic({ seed: 1 }))
  await folder.write('Mixed/Bleach v02.cbz', comic({ seed: 2 }))
  await folder.write('Mixed/Naruto v01.cbz', comic({ seed: 3 }))
  const { call } = await server.person('admin')
  const preview = bodyOf(await call(api.previewNewLibrary, { body: { roots: [folder.path] } }))
  expect(preview).toMatchObject({
    totalFiles: 3,
    truncated: false,
    series: [{ name: 'Mixed', bookCount: 3, was: null }],
  })
  expect(bodyOf(await call(api.listLibraries, {})).total).toBe(0)

  const { id } = bodyOf(
    await call(api.createLibrary, { body: { name: 'Comics', roots: [folder.path], scanNow: false } }),
  )
  await scanNow(server, id)
  const before = await booksOf(server, id)
  const grouping = { policy: 'flat' as const }
  expect(errorOf(await call(api.updateLibrary, { params: { id }, body: { grouping } }))).toMatchObject({
    error: 'conflict',
  })
  const { previewId, series } = bodyOf(await call(api.previewLibrary, { params: { id }, body: { grouping } }))
  expect(series.map(({ name, bookCount }) => [name, bookCount])).toEqual([
    ['Bleach', 2],
    ['Naruto', 1],
  ])
  expect(series[0]?.was).toBe(before.get('Mixed/Bleach v01.cbz')?.series_id)
  {
    await using _ = workOn(server, [regroupLibrary])
    const changed = await call(api.updateLibrary, { params: { id }, body: { grouping, confirmPreview: previewId } })
    expect(changed.status).toBe(200)
    await expect
      .poll(async () => bodyOf(await call(api.listSeries, {})).data.map(({ title }) => title))
      .toEqual(['Bleach', 'Naruto'])
  }
  const after = await booksOf(server, id)
  const idsIn = (books: typeof before) => Object.fromEntries([...books].map(([path, book]) => [path, book.id]))
  expect(idsIn(after)).toEqual(idsIn(before))
})

const titlesAndCounts = async (server: TestServer, libraryId: string) => {
  const rows = [...(await booksOf(server, libraryId)).values()].map((book) => [book.series_title, book.series_books])
  return Object.fromEntries(rows)
}

test('C21 F4 a preview of what books say is what the scan makes of them, and says of how many it knows only the name', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const infoOf = (series: string, number: number) => comicInfoXml({ Series: series, Number: number })
  await folder.write('A/scan-1.cbz', comic({ seed: 1, comicInfo: infoOf('Saga', 1) }))
  await folder.write('B/scan-2.cbz', comic({ seed: 2, comicInfo: infoOf('Saga', 2) }))
  await folder.write('B/Monstress 01.cbz', comic({ seed: 3 }))
  const { call } = await server.person('admin')
  const roots = [folder.path]
  const shown = ({ series }: api.ScanPreview) =>
    Object.fromEntries(series.map(({ name, bookCount }) => [name, bookCount]))
  for (const policy of ['flat', 'metadata'] as const) {
    const fresh = bodyOf(await call(api.previewNewLibrary, { body: { roots, grouping: { policy } } }))
    expect(fresh).toMatchObject({ totalFiles: 3, unreadFiles: 3 })
  }
  const byFolders = bodyOf(await call(api.previewNewLibrary, { body: { roots } }))
  expect(byFolders).toMatchObject({
    unreadFiles: 0,
    advice: [{ policy: 'flat', config: {}, warnings: [] }, {}, {}, {}],
  })
  expect(byFolders.advice.find(({ policy }) => policy === 'folder')?.warnings).toMatchObject([{ code: 'unlike_books' }])

  const id = await addLibraryOn(server, { roots })
  await scanNow(server, id)
  for (const policy of ['flat', 'metadata'] as const) {
    const grouping = { policy, config: {} }
    const preview = bodyOf(await call(api.previewLibrary, { params: { id }, body: { grouping } }))
    expect(preview.unreadFiles).toBe(0)
    const other = await addLibraryOn(server, { roots, policy, name: policy })
    await scanNow(server, other)
    expect(shown(preview)).toEqual(await titlesAndCounts(server, other))
  }
})

test('LIB-4 what lies beside books is read, and taken back when it is gone', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('Saga/1.cbz', comic({ seed: 1 }))
  await folder.write('Saga/2.cbz', comic({ seed: 2 }))
  await folder.write('Saga/series.json', seriesJson({ publisher: 'The Press' }))
  await folder.write('Book/one.cbz', comic({ seed: 3 }))
  await folder.write('Book/metadata.opf', calibreOpf())
  const { call } = await server.person('admin')
  const { id } = bodyOf(
    await call(api.createLibrary, { body: { name: 'Comics', roots: [folder.path], scanNow: false } }),
  )
  await scanNow(server, id)
  const seriesOf = async (path: string) => {
    const seriesId = (await booksOf(server, id)).get(path)?.series_id ?? ''
    return bodyOf(await call(api.readSeries, { params: { id: seriesId } }))
  }
  expect((await seriesOf('Saga/1.cbz')).publisher).toBe('The Press')
  expect((await booksOf(server, id)).get('Book/one.cbz')?.title).not.toBe('one')

  await rm(folder.in('Saga/series.json'))
  await rm(folder.in('Book/metadata.opf'))
  await scanNow(server, id)

  expect((await seriesOf('Saga/1.cbz')).publisher).toBe(null)
  expect((await booksOf(server, id)).get('Book/one.cbz')?.title).toBe('one')
})

test('LIB-1 libraries are scanned when they say so, and those that are watched once a day at least', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const { call } = await server.person('admin')
  const schedule = { cron: '0 5 * * 1', timeZone: 'Europe/Berlin' }
  for (const [name, more] of [
    ['Weekly', { schedule }],
    ['Watched', { watch: true }],
    ['By hand', { watch: false }],
  ] as const) {
    await folder.write(`${name}/A/1.cbz`, comic({ seed: 1 }))
    const body = { name, roots: [folder.in(name)], scanNow: false, ...more }
    expect((await call(api.createLibrary, { body })).status).toBe(201)
  }

  const schedules = await librarySchedules(server.context.db, 'UTC')()

  expect(schedules.map(({ name, pattern, timeZone }) => [name.split(' ')[0], pattern(), timeZone()])).toEqual([
    ['scan_library', '0 5 * * 1', 'Europe/Berlin'],
    ['watch_library', '45 * * * *', 'Europe/Berlin'],
    ['scan_library', '15 4 * * *', 'UTC'],
    ['watch_library', '45 * * * *', 'UTC'],
  ])
})

const readTo = async ({ call }: Person, bookId: string, currentPage: number): Promise<void> => {
  bodyOf(await call(api.saveProgress, { params: { id: bookId }, body: { currentPage } }))
}

test('C11 a missing book and a copy that both were read are offered as one, which somebody refuses or accepts', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const name of ['1', '2']) await folder.write(`A/${name}.cbz`, comic({ seed: Number(name), pages: 8 }))
  for (let index = 10; index < 16; index += 1) await folder.write(`A/${index}.cbz`, comic({ seed: index }))
  const { call } = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.path], scanNow: false }
  const { id } = bodyOf(await call(api.createLibrary, { body }))
  await scanNow(server, id)
  for (const name of ['1', '2']) await folder.write(`B/${name} again.cbz`, comic({ seed: Number(name), pages: 8 }))
  await scanNow(server, id)
  const before = await booksOf(server, id)
  const idOf = (path: string): string => before.get(path)?.id ?? ''
  const reader = await server.person('reader')
  for (const name of ['1', '2']) {
    await readTo(reader, idOf(`A/${name}.cbz`), 3)
    await readTo(reader, idOf(`B/${name} again.cbz`), 6)
    await rm(folder.in(`A/${name}.cbz`))
  }

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 2 })

  const offered = async () => bodyOf(await call(api.listRelinks, { params: { id } })).data
  const offers = new Map((await offered()).map((offer) => [offer.path, offer]))
  expect([...offers.keys()].sort()).toEqual(['B/1 again.cbz', 'B/2 again.cbz'])
  const [one, two] = [offers.get('B/1 again.cbz'), offers.get('B/2 again.cbz')]
  expect(one).toMatchObject({ missingBookId: idOf('A/1.cbz'), presentBookId: idOf('B/1 again.cbz') })
  for (const endpoint of [api.acceptRelink, api.refuseRelink]) {
    expect((await reader.call(endpoint, { params: { id, relinkId: one?.id ?? '' } })).status).toBe(403)
    const none = await call(endpoint, { params: { id, relinkId: id } })
    expect(errorOf(none).error).toBe('not_found')
  }

  const refused = { id, relinkId: two?.id ?? '' }
  expect((await call(api.refuseRelink, { params: refused })).status).toBe(204)
  expect((await call(api.acceptRelink, { params: { id, relinkId: one?.id ?? '' } })).status).toBe(204)
  expect(await offered()).toEqual([])
  expect(errorOf(await call(api.acceptRelink, { params: refused })).error).toBe('not_found')
  await scanNow(server, id)
  expect(await offered()).toEqual([])

  const after = await booksOf(server, id)
  expect(after.get('B/1 again.cbz')).toMatchObject({ id: idOf('A/1.cbz'), state: 'present' })
  expect(after.get('B/2 again.cbz')).toMatchObject({ id: idOf('B/2 again.cbz'), state: 'present' })
  expect(after.get('A/2.cbz')).toMatchObject({ id: idOf('A/2.cbz'), state: 'missing' })
  expect(errorOf(await call(api.readBook, { params: { id: idOf('B/1 again.cbz') } })).error).toBe('not_found')
  const progress = bodyOf(await reader.call(api.readProgress, { params: { id: idOf('A/1.cbz') } }))
  expect(progress?.currentPage).toBe(6)
  const history = bodyOf(await reader.call(api.listProgressHistory, { params: { id: idOf('A/1.cbz') } }))
  expect(new Set(history.data.map(({ currentPage }) => currentPage))).toEqual(new Set([3, 6]))
})

test('C9 EVT-1 whoever may see a library follows its scan, and hears when removals are held', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (let index = 0; index < 5; index += 1) await folder.write(`A/${index}.cbz`, comic({ seed: index + 1, pages: 1 }))
  const admin = await server.person('admin')
  const newLibrary = async (name: string, root: string): Promise<string> =>
    bodyOf(await admin.call(api.createLibrary, { body: { name, roots: [root], scanNow: false } })).id
  await mkdir(folder.in('other'))
  const [id, otherId] = [await newLibrary('Comics', folder.in('A')), await newLibrary('Other', folder.in('other'))]
  const other = await server.person('editor', { access: { libraries: [otherId] } })
  const bearer = ({ accessToken }: Person) => ({ authorization: `Bearer ${accessToken}` })
  await using stream = await openStream(server.url, bearer(admin))
  await using foreign = await openStream(server.url, bearer(other))

  const scan = await scanNow(server, id)
  const { data } = await stream.first('scan_progress')
  expect(data).toMatchObject({ libraryId: id, scanId: scan.id, filesTotal: 5, errorCount: 0 })
  expect(['walking', 'applying']).toContain(data.phase)
  await stream.first('library_updated')

  for (let index = 0; index < 5; index += 1) await rm(folder.in(`A/${index}.cbz`))
  await scanNow(server, id)
  const { data: held } = await stream.first('scan_held')
  const standing = bodyOf(await admin.call(api.readHeldChanges, { params: { id } })).held
  expect(held).toMatchObject({ libraryId: id, heldId: standing?.id, scanId: standing?.scanId })
  // What is told after all that comes to the other one.
  bodyOf(await admin.call(api.updateLibrary, { params: { id: otherId }, body: { name: 'Another' } }))
  expect((await foreign.first('library_updated')).data).toMatchObject({ libraryId: otherId })
  expect(foreign.ofType('scan_progress')).toEqual([])
  expect(foreign.ofType('scan_held')).toEqual([])
})

test('G1 LIB-7 a book that is to be read again when the reading of its library is about to end is read', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const bytes = comic({ seed: 1 })
  await folder.write('A/1.cbz', Buffer.concat([bytes.subarray(0, 500), Buffer.alloc(bytes.length - 500)]))
  const { call } = await server.person('admin')
  const { id } = bodyOf(await call(api.createLibrary, { body: { name: 'L', roots: [folder.path], scanNow: false } }))
  await scanNow(server, id)
  const retry = () => call(api.retryBookErrors, { body: { libraryId: id } })
  let requestCount = 0
  const askedAtItsEnd: typeof analyseLibrary = {
    ...analyseLibrary,
    run: (payload, context, resources) => {
      const finish: typeof context.finish = async (work) => {
        requestCount += 1
        if (requestCount === 1) {
          // Mended so that no scan can see it.
          const { atime, mtime } = await stat(folder.in('A/1.cbz'))
          await folder.write('A/1.cbz', bytes)
          await utimes(folder.in('A/1.cbz'), atime, mtime)
          bodyOf(await retry())
        }
        return context.finish(work)
      }
      return analyseLibrary.run(payload, { ...context, finish }, resources)
    },
  }
  await using _ = workOn(server, [askedAtItsEnd])

  bodyOf(await retry())

  await expect.poll(() => requestCount).toBe(2)
  await expect.poll(async () => bodyOf(await call(api.readScanStatus, { params: { id } }))?.analysisPending).toBe(0)
  expect(bodyOf(await call(api.listBookErrors, {})).total).toBe(0)
})

test('LIB-7 a damaged file is listed with its reason, and read again when somebody asks', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const bytes = comic({ seed: 1 })
  const half = Buffer.concat([bytes.subarray(0, 500), Buffer.alloc(bytes.length - 500)])
  for (const path of ['A/one.cbz', 'A/two.cbz']) await folder.write(path, half)
  await folder.write('A/fine.cbz', comic({ seed: 2 }))
  const editor = await server.person('editor')
  const admin = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.path], scanNow: false }
  const { id } = bodyOf(await admin.call(api.createLibrary, { body }))
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_added: 3 })
  const books = await booksOf(server, id)
  const [one, two, fine] = ['one', 'two', 'fine'].map((name) => books.get(`A/${name}.cbz`)?.id ?? '')
  const faulty = async () =>
    new Map(bodyOf(await editor.call(api.listBookErrors, {})).data.map((each) => [each.bookId, each]))
  expect(new Set((await faulty()).keys())).toEqual(new Set([one, two]))
  expect((await faulty()).get(one ?? '')).toMatchObject({ kind: 'file', code: 'damaged', isQuarantined: false })
  const kindsFor = async (person: Person) => bodyOf(await person.call(api.countBookErrors, {})).kinds
  expect(await kindsFor(editor)).toEqual([{ code: 'damaged', count: 2 }])
  expect(bodyOf(await editor.call(api.countBookErrors, { query: { libraryId: newId() } })).kinds).toEqual([])
  // Somebody who may see another library alone counts none of these.
  const elsewhere = await server.person('editor', { access: { libraries: [] } })
  expect(await kindsFor(elsewhere)).toEqual([])
  // Mended so that no scan can see it.
  for (const name of ['one', 'two']) {
    const { atime, mtime } = await stat(folder.in(`A/${name}.cbz`))
    await writeFile(folder.in(`A/${name}.cbz`), bytes)
    await utimes(folder.in(`A/${name}.cbz`), atime, mtime)
  }
  await scanNow(server, id)
  expect((await faulty()).size).toBe(2)

  const reader = await server.person('reader')
  expect((await reader.call(api.retryBookError, { params: { bookId: one ?? '' } })).status).toBe(403)
  expect(errorOf(await editor.call(api.retryBookError, { params: { bookId: fine ?? '' } })).error).toBe('not_found')
  await using _ = workOn(server, [analyseLibrary])
  expect(bodyOf(await editor.call(api.retryBookError, { params: { bookId: one ?? '' } }))).toEqual({ retried: 1 })
  await expect.poll(async () => [...(await faulty()).keys()]).toEqual([two])
  expect(bodyOf(await editor.call(api.retryBookErrors, { body: { libraryId: id } }))).toEqual({ retried: 1 })
  await expect.poll(async () => (await faulty()).size).toBe(0)
  expect(bodyOf(await reader.call(api.listPages, { params: { id: two ?? '' } }))).toHaveLength(3)
})
