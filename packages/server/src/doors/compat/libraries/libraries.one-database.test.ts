import * as api from '@carrel/api'
import type { CompatBook, CompatLibrary, CompatPage } from '@carrel/api/doors'
import { mkdir } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { compatClient } from '../../../../test/doors/compat-client.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { scanTasks } from '../../../../test/scanning.ts'
import { startServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'

const server = await startServer({ env: doorsOpen })
afterAll(() => server[Symbol.asyncDispose]())
const admin = await server.person('admin')
const app = compatClient(server, admin)
const libraries = 'api/v1/libraries'

/** Komga's own web app sends this with a new library when nothing was changed. */
const asItComes = {
  importComicInfoBook: true,
  importComicInfoSeries: true,
  importComicInfoCollection: true,
  importComicInfoReadList: true,
  importComicInfoSeriesAppendVolume: true,
  importEpubBook: true,
  importEpubSeries: true,
  importMylarSeries: true,
  importLocalArtwork: true,
  importBarcodeIsbn: false,
  scanForceModifiedTime: false,
  scanInterval: 'EVERY_6H',
  scanOnStartup: false,
  scanCbx: true,
  scanPdf: true,
  scanEpub: true,
  scanDirectoryExclusions: ['#recycle', '@eaDir', '@Recycle'],
  repairExtensions: false,
  convertToCbz: false,
  emptyTrashAfterScan: false,
  seriesCover: 'FIRST',
  hashFiles: true,
  hashPages: false,
  hashKoreader: false,
  analyzeDimensions: true,
  oneshotsDirectory: '',
}

let made = 0
const makeLibrary = async (root: string, more: object = {}) => {
  const name = `Library ${(made += 1)}`
  const reply = await app.post<CompatLibrary>(libraries, { ...asItComes, ...more, name, root })
  return { name, ...reply }
}
const read = async (id: string) => (await app.get<CompatLibrary>(`${libraries}/${id}`)).body
const change = (id: string, body: unknown, method = 'PATCH') => app.send(method, `${libraries}/${id}`, body)
const native = async (id: string) => bodyOf(await admin.call(api.readLibrary, { params: { id } }))

test('C10 a library is made, scanned and deleted from an application', async () => {
  await using folder = await libraryFolder()
  await folder.write('Blame/Blame 01.cbz', comic({ seed: 1 }))
  await folder.write('@eaDir/Thumbs/Thumbs 01.cbz', comic({ seed: 2 }))
  await using _ = workOn(server, scanTasks, { settleMs: 20 })
  const { status, body, name } = await makeLibrary(folder.path)
  expect([status, body]).toMatchObject([
    200,
    {
      name,
      root: folder.path,
      scanInterval: 'EVERY_6H',
      scanDirectoryExclusions: ['#recycle', '@eaDir', '@Recycle'],
      importComicInfoCollection: true,
      hashKoreader: true,
    },
  ])
  expect(await read(body.id)).toEqual(body)
  expect(await native(body.id)).toMatchObject({
    exclude: ['#recycle', '@eaDir', '@Recycle', '**/.*'],
    schedule: { cron: '0 */6 * * *', timeZone: 'UTC' },
    formats: null,
    listsFromFiles: true,
  })
  const names = async () =>
    (await app.get<CompatPage<CompatBook>>(`api/v1/books?library_id=${body.id}`)).body.content.map((each) => each.name)
  await expect.poll(names).toEqual(['Blame 01'])
  const scan = async () => {
    const outcome = await admin.call(api.readScanStatus, { params: { id: body.id } })
    return outcome.ok ? outcome.body?.status : undefined
  }
  await expect.poll(scan).toBe('completed')
  await folder.write('Blame/Blame 02.cbz', comic({ seed: 3 }))
  expect((await app.send('POST', `${libraries}/${body.id}/scan`)).status).toBe(202)
  await expect.poll(names).toEqual(['Blame 01', 'Blame 02'])

  expect((await app.send('DELETE', `${libraries}/${body.id}`)).status).toBe(204)
  expect((await app.get(`${libraries}/${body.id}`)).status).toBe(404)
})

test('C10 what is changed of a library reads back, natively too', async () => {
  await using folder = await libraryFolder()
  await mkdir(folder.in('other'))
  await mkdir(folder.in('first'))
  const { body } = await makeLibrary(folder.in('first'))
  const changes: [object, object][] = [
    [{ name: 'Renamed' }, { name: 'Renamed' }],
    [{ root: folder.in('other') }, { roots: [folder.in('other')] }],
    [{ scanPdf: false }, { formats: ['cbz', 'cbr', 'cb7', 'cbt', 'folder', 'epub', 'mobi', 'azw3', 'fb2'] }],
    [{ scanCbx: false, scanEpub: false }, { formats: ['mobi', 'azw3', 'fb2'] }],
    [{ scanCbx: true, scanPdf: true, scanEpub: true }, { formats: null }],
    [{ scanDirectoryExclusions: ['drafts'] }, { exclude: ['drafts', '**/.*'] }],
    [{ scanDirectoryExclusions: [] }, { exclude: ['**/.*'] }],
    [{ scanInterval: 'HOURLY' }, { schedule: { cron: '0 * * * *', timeZone: 'UTC' } }],
    [{ scanInterval: 'EVERY_12H' }, { schedule: { cron: '0 */12 * * *', timeZone: 'UTC' } }],
    [{ scanInterval: 'DAILY' }, { schedule: { cron: '0 4 * * *', timeZone: 'UTC' } }],
    [{ scanInterval: 'WEEKLY' }, { schedule: { cron: '0 4 * * 0', timeZone: 'UTC' } }],
    [{ scanInterval: 'DISABLED' }, { schedule: null }],
    [{ importComicInfoCollection: false, importComicInfoReadList: false }, { listsFromFiles: false }],
    [{ importComicInfoCollection: true, importComicInfoReadList: true }, { listsFromFiles: true }],
  ]
  for (const [index, [theirs, ours]] of changes.entries()) {
    const reply = await change(body.id, theirs, index % 2 === 0 ? 'PATCH' : 'PUT')
    expect([theirs, reply.status]).toEqual([theirs, 204])
    expect(await read(body.id)).toMatchObject(theirs)
    expect(await native(body.id)).toMatchObject(ours)
  }
  // Saved as it is, nothing is different: not the hour of a schedule, not the other folders.
  const schedule = { cron: '30 5 * * *', timeZone: 'Europe/Berlin' }
  const roots = [folder.in('other'), folder.in('first')]
  bodyOf(await admin.call(api.updateLibrary, { params: { id: body.id }, body: { schedule, roots } }))
  const asItIs = await read(body.id)
  expect((await change(body.id, asItIs, 'PUT')).status).toBe(204)
  expect(await native(body.id)).toMatchObject({ schedule, roots })
})

test('C10 what Carrel does not do with libraries is refused with a sentence, and so is what we refuse', async () => {
  await using folder = await libraryFolder()
  const { body, name } = await makeLibrary(folder.path)
  const before = await read(body.id)
  for (const theirs of [
    { convertToCbz: true },
    { repairExtensions: true },
    { importComicInfoBook: false },
    { importComicInfoReadList: false },
    { importComicInfoCollection: false, importComicInfoReadList: true },
    { hashKoreader: false },
    { hashPages: true },
    { emptyTrashAfterScan: true },
    { scanOnStartup: true },
    { seriesCover: 'LAST' },
    { oneshotsDirectory: '_oneshots' },
  ]) {
    const [field = ''] = Object.keys(theirs)
    const reply = await change(body.id, { name: 'Never', ...theirs })
    expect([reply.status, reply.body]).toMatchObject([400, { message: expect.stringContaining(field) as unknown }])
  }
  await using pictures = await libraryFolder()
  expect((await makeLibrary(pictures.path, { convertToCbz: true })).status).toBe(400)
  expect((await makeLibrary(folder.in('nowhere'))).status).toBe(400)
  expect((await makeLibrary(folder.path)).status).toBe(409)
  expect((await app.post(libraries, { name: name.toUpperCase(), root: pictures.path })).status).toBe(409)
  expect(await read(body.id)).toEqual(before)
})

test('C10 folders of the server are listed for choosing, by those who make libraries', async () => {
  await using folder = await libraryFolder()
  await mkdir(folder.in('manga'))
  await folder.write('no folder.txt', 'text')
  const listed = await app.post('api/v1/filesystem', { path: folder.path, showFiles: true })
  expect(listed).toMatchObject({
    status: 200,
    body: { directories: [{ type: 'directory', name: 'manga', path: folder.in('manga') }], files: [] },
  })
  const start = await app.post('api/v1/filesystem', { path: '' })
  expect(start.body).toMatchObject({
    directories: expect.arrayContaining([{ type: 'directory', name: '/', path: '/' }]) as unknown,
  })
  expect((await app.send('POST', 'api/v1/filesystem')).status).toBe(200)
  expect((await app.post('api/v1/filesystem', { path: folder.in('nowhere') })).status).toBe(404)
  const reader = compatClient(server, await server.person('reader'))
  expect((await reader.post('api/v1/filesystem', { path: folder.path })).status).toBe(403)
  expect((await reader.post(libraries, { name: 'Mine', root: folder.path })).status).toBe(403)
})
