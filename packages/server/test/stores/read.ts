import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { FileSource, ForeignRecord, Reader, RecordType, SourceKind } from '../../src/features/imports/records.ts'

/** The stores of other servers, of which each is read by a reader and compared with what it is known to say. */

let unpacked: string | undefined

/** Databases are packed with gzip, and unpacked once in each process. */
export const storePath = (kind: SourceKind, name: string): string => {
  const path = join(import.meta.dirname, kind, name)
  if (!existsSync(`${path}.gz`)) return path
  unpacked ??= unpackedFolder()
  const store = join(unpacked, kind, name)
  if (!existsSync(store)) {
    mkdirSync(dirname(store), { recursive: true })
    writeFileSync(store, gunzipSync(readFileSync(`${path}.gz`)))
  }
  return store
}

const unpackedFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-stores-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What stands in `expected.json` is of no type of ours: each test says what it takes from it. */
export const expectedOf = (kind: SourceKind, name = 'expected.json'): unknown =>
  JSON.parse(readFileSync(storePath(kind, name), 'utf8'))

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const sourceOf = (store: string, folder: string | null = null): FileSource => ({
  store,
  folder,
  scratch: newFolder(),
})

export const readAll = async (reader: Reader, source: FileSource): Promise<readonly ForeignRecord[]> => {
  const records: ForeignRecord[] = []
  for await (const batch of reader.read(source)) records.push(...batch)
  return records
}

export type RecordOf<Type extends RecordType> = Extract<ForeignRecord, { readonly type: Type }>

export const ofType = <Type extends RecordType>(
  records: readonly ForeignRecord[],
  type: Type,
): readonly RecordOf<Type>[] => records.filter((record): record is RecordOf<Type> => record.type === type)

export const passedOverIn = (records: readonly ForeignRecord[]) =>
  ofType(records, 'passedOver').map(({ what, reason, count }) => ({ what, reason, count }))

/** A copy of a store with these statements run on it, as another database of the same schema. */
export const changedStore = (path: string, statements: string | readonly string[]): string => {
  const copy = join(newFolder(), basename(path))
  copyFileSync(path, copy)
  const db = new Sqlite(copy)
  try {
    db.pragma('foreign_keys = off')
    for (const statement of typeof statements === 'string' ? [statements] : statements) db.exec(statement)
  } finally {
    db.close()
  }
  return copy
}

/** Those that something stands in: nothing is read of the others. */
export const tablesOf = (path: string): readonly string[] => {
  const db = new Sqlite(path, { readonly: true })
  try {
    return db
      .prepare<[], string>(`select name from pragma_table_list where type = 'table' and name not like 'sqlite_%'`)
      .pluck()
      .all()
      .filter((name) => db.prepare(`select 1 from "${name}" limit 1`).get() !== undefined)
  } finally {
    db.close()
  }
}

/** The first half of a store, as an interrupted copy leaves it. */
export const halfOf = (path: string): Buffer => {
  const bytes = readFileSync(path)
  return bytes.subarray(0, Math.floor(bytes.length * 0.6))
}

export const sorted = <Value>(values: Iterable<Value>): readonly Value[] =>
  [...values].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
