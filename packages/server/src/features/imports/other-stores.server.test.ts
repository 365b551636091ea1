import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { booksByPath, changedTables, importing, scanHousehold, type Shelf } from '../../../test/stores.ts'
import { expectedOf, newFolder, storePath } from '../../../test/stores/read.ts'
import type { SourceKind } from './records.ts'

let server: TestServer
let admin: Person
let libraries: Readonly<Record<Shelf, string>>
let byPath: ReadonlyMap<string, string>
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin', { username: 'keeper' })
  libraries = await scanHousehold(server)
  byPath = await booksByPath(server, libraries)
})
afterAll(() => server[Symbol.asyncDispose]())

const stores: readonly (readonly [SourceKind, string])[] = [
  ['kavita', 'kavita.db'],
  ['codex', 'codex.db'],
  ['stump', 'stump.db'],
  ['lanraragi', 'backup.json'],
  ['calibre', 'library'],
  ['mihon', 'app.mihon_2026-08-01_12-00.tachibk'],
]

/** A library with its files, as it is on a disk. */
const calibreFolder = (): string => {
  const folder = newFolder()
  cpSync(storePath('calibre', 'library'), folder, { recursive: true })
  cpSync(storePath('calibre', 'library/metadata.db'), join(folder, 'metadata.db'))
  return folder
}

interface ExpectedBook {
  readonly id?: string | number
  readonly chapterId?: number
  readonly arcid?: string
  readonly match: { readonly how: string | null; readonly path: string | null }
}

const matchesOf = async (importId: string) => {
  const rows = await server.context.db.read
    .selectFrom('import_part')
    .select('records')
    .where('import_id', '=', importId)
    .where('type', '=', 'bookMatch')
    .execute()
  return rows.flatMap(
    ({ records }) => JSON.parse(records) as { theirs: string; ours: string | null; by: string | null }[],
  )
}

for (const [kind, store] of stores)
  test(`C25 the store of ${kind} is matched, taken over and taken back`, async () => {
    const path = kind === 'calibre' ? calibreFolder() : storePath(kind, store)
    const before = await changedTables(server)
    const { read, apply, undo } = importing(server, admin)
    const report = await read({ kind, source: { path } })
    expect([report.state, report.fault]).toEqual(['ready', null])

    const expected = expectedOf(kind) as {
      readonly books?: readonly ExpectedBook[]
      readonly archives?: readonly ExpectedBook[]
    }
    const known = expected.books ?? expected.archives ?? []
    const matches = new Map((await matchesOf(report.id)).map(({ theirs, ours }) => [theirs, ours]))
    for (const { id, chapterId, arcid, match } of known) {
      const theirs = String(id ?? chapterId ?? arcid)
      const ours = match.path === null ? null : (byPath.get(match.path) ?? null)
      expect([theirs, match, matches.get(theirs)]).toEqual([theirs, match, ours])
    }

    const applied = await apply(report.id)
    expect([applied.state, applied.fault]).toEqual(['applied', null])
    expect(Object.keys(applied.taken)).not.toEqual([])
    expect(applied.taken['presets'] ?? 0).toBe(report.found['presets'] ?? 0)
    const again = await read({ kind, source: { path } })
    const standing = await changedTables(server)
    await apply(again.id)
    expect(await changedTables(server)).toEqual(standing)
    await undo(again.id)
    await undo(report.id)
    expect(await changedTables(server)).toEqual(before)
  })
