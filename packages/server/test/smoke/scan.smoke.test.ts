import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../library-folder.ts'
import { bodyOf } from '../outcome.ts'
import { type Carrel, claim, signIn, startCarrel, type Visitor } from './carrel.ts'
import { newDatabase } from './postgres-of-file.ts'
import { endOf } from './program.ts'
import { seed } from '../seed.ts'
import { randomFrom } from './random.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { tell, times } from './torture.ts'
import { waitUntil } from './wait-until.ts'

const unlimited = { CARREL_RATE_LIMIT_ENABLED: 'false' }
console.log(`The moments of the kills come from SEED=${seed}`)
const moment = randomFrom(seed)

/** Reading all of them takes about as long as the last kill waits. */
const bookCount = times(60, 2000)
const killWithinMs = times(800, 1500)
const pathOf = (index: number): string => `Series ${index % 7}/book ${index}.cbz`

const fill = async (folder: LibraryFolder): Promise<void> => {
  for (let index = 0; index < bookCount; index += 1)
    await folder.write(pathOf(index), comic({ seed: index + 1, pages: 2, comicInfo: index % 3 === 0 }))
}

/** The id of each book, by its content. */
const idsIn = async (admin: Visitor): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const { data, totalPages } = bodyOf(await admin.call(api.listBooks, { query: { page, pageSize: 500 } }))
    for (const { id, fileHash } of data) ids.set(fileHash ?? 'not read', id)
    if (page >= totalPages) return ids
  }
}

const scanned = (admin: Visitor, libraryId: string) =>
  waitUntil('the scan and all that is read after it', async () => {
    const scan = bodyOf(await admin.call(api.readScanStatus, { params: { id: libraryId } }))
    return scan?.status === 'completed' && scan.analysisPending === 0 ? scan : undefined
  })

const killRepeatedly = async (env: Readonly<Record<string, string>>, rounds: number): Promise<number> => {
  await using data = await temporaryFolder()
  await using folder = await libraryFolder()
  await fill(folder)
  const installation = { cwd: data.path, env: { ...unlimited, ...env } }
  const libraryId = await firstScan(installation, folder)
  let before = new Map<string, string>()
  for (let round = 0; round < rounds; round += 1) {
    await using carrel = await startCarrel(installation)
    const admin = await signIn(carrel, 'ana')
    await scanned(admin, libraryId)
    const ids = await idsIn(admin)
    expect(ids.size).toBe(bookCount)
    if (round > 0) expect(ids).toEqual(before)
    before = ids
    await shuffle(folder, round)
    await admin.call(api.scanLibrary, { params: { id: libraryId } })
    await kill(carrel)
  }
  await using carrel = await startCarrel(installation)
  const admin = await signIn(carrel, 'ana')
  await admin.call(api.scanLibrary, { params: { id: libraryId } })
  await scanned(admin, libraryId)
  expect(await idsIn(admin)).toEqual(before)
  expect(bodyOf(await admin.call(api.listBooks, { query: { includeDeleted: true } })).total).toBe(bookCount)
  if (env.CARREL_DATABASE_URL === undefined) expectSound(data.path)
  return before.size
}

/** Killed in its first scan already. */
const firstScan = async (
  installation: { cwd: string; env: Readonly<Record<string, string>> },
  folder: LibraryFolder,
): Promise<string> => {
  await using carrel = await startCarrel(installation)
  const admin = await claim(carrel)
  const { id } = bodyOf(await admin.call(api.createLibrary, { body: { name: 'Comics', roots: [folder.path] } }))
  await kill(carrel)
  return id
}

const kill = async (carrel: Carrel): Promise<void> => {
  await delay(moment() * killWithinMs)
  carrel.kill('SIGKILL')
  expect(await endOf(carrel)).toEqual({ code: null, signal: 'SIGKILL' })
}

/** Every fifth book gets another name, and pairs swap theirs. */
const shuffle = async (folder: LibraryFolder, round: number): Promise<void> => {
  for (let index = 0; index < bookCount; index += 5) {
    const [one, other] = [folder.in(pathOf(index)), folder.in(pathOf((index + 1 + round) % bookCount))]
    if (one === other) continue
    await rename(one, folder.in('.between'))
    await rename(other, one)
    await rename(folder.in('.between'), other)
  }
}

const expectSound = (directory: string): void => {
  const database = new Sqlite(join(directory, 'data/carrel.db'), { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('foreign_key_check')).toEqual([])
  database.close()
}

test('LIB-5 W16 killed at any moment of a scan, books are neither lost nor doubled, and each keeps its id', async () => {
  const kills = times(5, 40, 10)
  expect(await killRepeatedly({}, kills)).toBe(bookCount)
  tell({ id: 'A1', what: `kills of scans of ${bookCount} books`, tries: kills, lost: 0 })
}, 400_000)

test('LIB-5 W16 the same on PostgreSQL', async () => {
  const env = { CARREL_DATABASE_URL: await newDatabase() }
  expect(await killRepeatedly(env, times(2, 20))).toBe(bookCount)
}, 400_000)
