import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { shelfFolder, unpackStore } from '../stores.ts'
import { changedStore } from '../stores/read.ts'
import { claim, startCarrel, type Visitor } from './carrel.ts'
import { endOf, launch, run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'
import { readingAsUsersDo } from './without-rights.ts'

const libraryOf = async (admin: Visitor, shelf: 'comics' | 'manga' | 'ebooks'): Promise<void> => {
  const body = { name: shelf, roots: [shelfFolder(shelf)], watch: false }
  const { id } = bodyOf(await admin.call(api.createLibrary, { body }))
  await waitUntil('a library that is read', async () => {
    const scan = bodyOf(await admin.call(api.readScanStatus, { params: { id } }))
    return scan?.status === 'completed' && scan.analysisPending === 0
  })
}

const names = async (admin: Visitor): Promise<string[]> =>
  bodyOf(await admin.call(api.listUsers, {}))
    .data.map(({ username }) => username)
    .toSorted()

test('C25 import-from reads a store beside a running server, takes it over and takes it back', async () => {
  await using data = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: data.path })
  const admin = await claim(carrel)
  for (const shelf of ['comics', 'manga', 'ebooks'] as const) await libraryOf(admin, shelf)
  const before = await names(admin)
  const store = await unpackStore('komga/database.sqlite.gz', data.path)
  const call = (...args: readonly string[]) => run(['import-from', ...args], { cwd: data.path })

  const looked = await call('komga', store)
  expect(looked).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Books: 32 by hash, 21 by path, 4 by name; 3 are not here.'),
  })
  expect(await names(admin)).toEqual(before)
  const wrong = [
    [['--without', 'nonsense'], 'There is no part "nonsense" to leave out'],
    [['--library', 'comics'], '"comics" does not say which library is which'],
    [['--library', 'Comics=Nope'], 'There is no library "Nope" here'],
    [
      ['--library', 'Nope=comics'],
      'There is no library "Nope" in what was read: there is "Comics", "Ebooks", "Manga".',
    ],
  ] as const
  for (const [words, message] of wrong)
    expect(await call('komga', store, ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })

  const hostile = changedStore(store, `update LIBRARY set NAME = NAME || char(27) || '[2J' where NAME = 'Manga'`)
  const shown = await call('komga', hostile)
  expect(shown).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(String.raw`Library Manga\u{1b}[2J (22 books)`),
  })

  const taken = await call('komga', store, '--apply', '--without', 'covers')
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('Taken over:'), stderr: expect.any(String) })
  expect(await names(admin)).toEqual([...before, 'jonas', 'mara', 'opa_fritz', 'tilda.k'].toSorted())

  const [, id = ''] = /--undo (\S+)/.exec(taken.stdout) ?? []
  expect(await call('--undo', id)).toMatchObject({ code: 0, stdout: 'It is taken back.\n' })
  expect(await names(admin)).toEqual(before)
})

test('C25 import-from says what is wrong with a store or with the call, and works without a server', async () => {
  await using data = await temporaryFolder()
  {
    await using carrel = await startCarrel({ cwd: data.path })
    await claim(carrel)
  }
  const call = (...args: readonly string[]) => run(['import-from', ...args], { cwd: data.path })
  const noStore = join(data.path, 'no-store.sqlite')
  await writeFile(noStore, 'This is no database.')
  expect(await call('komga', noStore, '--here')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('This is no SQLite database.'),
  })
  await chmod(noStore, 0)
  const hidden = await run(['import-from', 'komga', noStore, '--here'], { cwd: data.path, ...readingAsUsersDo })
  expect(hidden).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no such file or folder, or it cannot be read.'),
  })
  expect(await call('plex', noStore)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Name a kind of server'),
  })
  const store = await unpackStore('komga/database.sqlite.gz', data.path)
  expect(await call('komga', store, '--apply', '--here')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('4 users'),
  })

  await using stopped = launch(['import-from', 'komga', store, '--apply', '--here'], { cwd: data.path })
  await waitUntil('its beginning', () => stopped.stderr().includes('komga'))
  stopped.kill('SIGINT')
  expect(await endOf(stopped)).toEqual({ code: 1, signal: null })
  const [last, ...before] = stopped.stderr().trimEnd().split('\n').toReversed()
  expect(last).toBe('Stopped before the end: a worker will go on with the step that has begun.')
  expect(before.filter((line) => !line.startsWith('komga: '))).toEqual([])
})
