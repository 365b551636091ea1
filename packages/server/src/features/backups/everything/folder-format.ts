import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Row, Value } from '../../../database/rows.ts'
import { UnusableArchive } from '../archive/archive-reader.ts'

/** A folder of everything describes itself with this; `docs/operators/everything.md` tells what is in it. */
const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const FolderFile = Type.Object({
  /** The table whose rows are in it. */
  kind: Type.String({ pattern: '^[a-z_]{1,100}$' }),
  fields: Type.Array(Type.String({ pattern: '^[a-z0-9_]{1,100}$' }), { maxItems: 500 }),
  count: Whole,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type FolderFile = Static<typeof FolderFile>

const FolderManifest = Type.Object({
  product: Type.Literal('carrel'),
  content: Type.Literal('everything'),
  format: Type.Integer(),
  createdAt: Type.String({ maxLength: 40 }),
  program: Type.String({ maxLength: 100 }),
  schemaVersion: Type.Integer({ minimum: 1 }),
  files: Type.Array(FolderFile, { maxItems: 1000 }),
  pictures: Type.Object({ count: Whole, sha256: FolderFile.properties.sha256 }),
})
export type FolderManifest = Static<typeof FolderManifest>

export const folderFormat = 1
export const folderManifest = 'manifest.json'
export const folderPictures = 'pictures.jsonl'
export const nameOfKind = (kind: string): string => `${kind}.jsonl`

/** Undefined: it is no manifest of such a folder. */
export const parseFolderManifest = (text: string): FolderManifest | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return Check(FolderManifest, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A row by the names of its columns. JSON that a column holds as text is readable as JSON where nothing is lost by it. */
export const recordOf = (fields: readonly string[], row: Row): Record<string, unknown> =>
  Object.fromEntries(fields.map((field, index) => [field, readable(row[index] ?? null)]))

const readable = (value: Value): unknown => {
  if (Buffer.isBuffer(value)) return { base64: value.toString('base64') }
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  const parsed = parsedOrNothing(value)
  const isTheSame = parsed !== undefined && JSON.stringify(parsed) === value
  return isTheSame ? { json: parsed } : value
}

const parsedOrNothing = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const rowOf = (fields: readonly string[], record: unknown): Row => {
  if (typeof record !== 'object' || record === null || Object.keys(record).length !== fields.length) throw noRow()
  const values = record as Readonly<Record<string, unknown>>
  return fields.map((field) => {
    if (!Object.hasOwn(values, field)) throw noRow()
    return valueOf(values[field])
  })
}

const valueOf = (value: unknown): Value => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'object' && 'json' in value) return JSON.stringify(value.json)
  if (typeof value === 'object' && 'base64' in value && typeof value.base64 === 'string')
    return Buffer.from(value.base64, 'base64')
  throw noRow()
}

const noRow = () => new UnusableArchive('It holds a line that is no row of its kind.')
