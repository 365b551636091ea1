import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../library-folder.ts'
import { bodyOf } from '../outcome.ts'
import { callsOfFile } from './calls.ts'
import { type Carrel, claim, startCarrel, type Visitor, withoutWorker } from './carrel.ts'
import { newDatabase } from './postgres-of-file.ts'
import { endOf, launch, type ProgramOptions, run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const call = callsOfFile()

const createLibrary = async (admin: Visitor, folder: LibraryFolder, name: string): Promise<string> => {
  await folder.write(`${name}/A/1.cbz`, comic({ seed: name.length }))
  const body = { name, roots: [folder.in(name)], scanNow: false, watch: false }
  return bodyOf(await admin.call(api.createLibrary, { body })).id
}

const titles = async (admin: Visitor): Promise<string[]> =>
  bodyOf(await admin.call(api.listBooks, {}))
    .data.map(({ title, pageCount }) => `${title} ${pageCount}`)
    .sort()

const twoLibraries = async (
  installation: ProgramOptions,
  folder: LibraryFolder,
  env: Readonly<Record<string, string>> = {},
) => {
  const carrel = await startCarrel({ ...installation, env: { ...installation.env, ...env } })
  const admin = await claim(carrel)
  const comics = await createLibrary(admin, folder, 'Comics')
  const manga = await createLibrary(admin, folder, 'Manga')
  return { carrel, admin, comics, manga }
}

const stop = async (carrel: Carrel): Promise<void> => {
  carrel.kill('SIGTERM')
  await endOf(carrel)
}

/** It returns what is in both libraries in the end. */
const waitBesideAServer = async (installation: ProgramOptions): Promise<string[]> => {
  await using folder = await libraryFolder()
  const { carrel, admin, manga } = await twoLibraries(installation, folder)
  await using _ = carrel

  const first = await run(['scan', 'manga', '--wait'], installation)
  expect(first).toMatchObject({
    code: 0,
    stdout: 'Manga: 1 files, 1 new, 0 changed, 0 moved, 0 back, 0 missing.\n',
    stderr: expect.stringMatching(/^Manga: \w+/),
  })
  expect(first.stderr).not.toContain('\u001B')
  expect(await titles(admin)).toEqual(['1 3'])
  await folder.write('Comics/B/2.cbz', comic({ seed: 50, pages: 4 }))
  expect(await run(['scan', '--wait', '--full'], installation)).toMatchObject({
    code: 0,
    stdout: [
      'Comics: 2 files, 2 new, 0 changed, 0 moved, 0 back, 0 missing.',
      'Manga: 1 files, 0 new, 0 changed, 0 moved, 0 back, 0 missing.',
      '',
    ].join('\n'),
  })
  expect(bodyOf(await admin.call(api.listScans, { params: { id: manga } })).data.map(({ mode }) => mode)).toEqual([
    'full',
    'changes',
  ])
  return await titles(admin)
}

test('CFG-6 scan --wait has a running server look, and says what has come of it when all is read', async () => {
  await using data = await temporaryFolder()
  expect(await waitBesideAServer({ cwd: data.path })).toEqual(['1 3', '1 3', '2 4'])
})

test('CFG-6 the same on PostgreSQL', async () => {
  await using data = await temporaryFolder()
  const env = { CARREL_DATABASE_URL: await newDatabase() }
  expect(await waitBesideAServer({ cwd: data.path, env })).toEqual(['1 3', '1 3', '2 4'])
})

// It takes as long as a worker may be silent: meanwhile others are asked.
test.concurrent('CFG-6 scan without a server is asked for, done by --here, and told where no worker does it', async () => {
  await using data = await temporaryFolder()
  await using folder = await libraryFolder()
  const installation = { cwd: data.path }
  const { carrel } = await twoLibraries(installation, folder, withoutWorker)
  await stop(carrel)

  expect(await call(['scan'], installation)).toEqual({
    code: 0,
    stdout: 'Comics: a scan is asked for.\nManga: a scan is asked for.\n',
    stderr: '',
  })
  expect(await call(['scan', 'Manga'], installation)).toMatchObject({
    code: 0,
    stdout: 'Manga: a scan is on its way already.\n',
  })
  const alone = launch(['scan', 'Manga', '--wait'], installation)
  await using _ = alone
  expect(await endOf(alone)).toEqual({ code: 5, signal: null })
  expect(alone.stderr()).toMatch(/\nManga: no worker gives a sign\. .*--here\.\n$/)

  expect(await run(['scan', '--here'], installation)).toMatchObject({
    code: 0,
    stdout: [
      'Comics: 1 files, 1 new, 0 changed, 0 moved, 0 back, 0 missing.',
      'Manga: 1 files, 1 new, 0 changed, 0 moved, 0 back, 0 missing.',
      '',
    ].join('\n'),
  })
})

test.concurrent('CFG-6 LIB-6 the exit code of scan says whether all went well', async () => {
  await using data = await temporaryFolder()
  await using folder = await libraryFolder()
  const installation = { cwd: data.path }
  const { carrel, admin, comics } = await twoLibraries(installation, folder)
  await using _ = carrel
  for (const name of ['2', '3', '4']) await folder.write(`Comics/A/${name}.cbz`, comic({ seed: Number(name) + 20 }))
  expect(await call(['scan', comics, '--wait'], installation)).toMatchObject({ code: 0 })

  await rm(folder.in('Comics/A'), { recursive: true })
  await writeFile(join(folder.path, 'Comics/notes.txt'), 'so that it is not empty')
  const held = await run(['scan', 'Comics', 'Manga', '--wait'], installation)
  expect(held).toMatchObject({ code: 4, stdout: expect.stringContaining('Manga: 1 files, 1 new') })
  expect(held.stderr).toContain('Comics: books that seem to be gone are held until somebody says so.\n')
  await rm(folder.in('Comics'), { recursive: true })
  const gone = await call(['scan', 'Comics', '--wait'], installation)
  expect(gone).toMatchObject({ code: 4, stderr: expect.stringContaining('It is not there.') })

  const unknown = await call(['scan', 'Nowhere'], installation)
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toMatch(/^There is no library "Nowhere"\.\n\nUsage: carrel scan/)
  expect((await admin.call(api.listLibraries, {})).status).toBe(200)
})

test('CFG-6 scan --here is told to stop, and leaves the rest to a worker', async () => {
  await using data = await temporaryFolder()
  await using folder = await libraryFolder()
  const installation = { cwd: data.path }
  const { carrel, manga } = await twoLibraries(installation, folder, withoutWorker)
  await stop(carrel)
  for (let index = 0; index < 200; index += 1)
    await folder.write(`Manga/${index % 9}/${index}.cbz`, comic({ seed: 100 + index }))
  await using here = launch(['scan', 'Manga', '--here'], installation)
  await waitUntil('its beginning', () => here.stderr().includes('Manga: '))

  here.kill('SIGTERM')

  expect(await endOf(here)).toEqual({ code: 1, signal: null })
  expect(here.stderr()).toContain('Stopped before the end: a worker will go on with it.\n')
  expect(await run(['scan', manga, '--here'], installation)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Manga: 201 files'),
  })
})
