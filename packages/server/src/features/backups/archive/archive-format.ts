import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

/** A backup or an export describes itself with this. */
const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const Part = Type.Object({
  name: Type.String({ maxLength: 200 }),
  /** The packed bytes of the part begin here in the file. */
  offset: Whole,
  packedSize: Whole,
  size: Whole,
  /** The digest is that of the unpacked bytes. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type Part = Static<typeof Part>

const reasons = ['manual', 'scheduled', 'export', 'migration'] as const
export type Reason = (typeof reasons)[number]

const Manifest = Type.Object({
  product: Type.Literal('carrel'),
  format: Type.Integer(),
  /** A file of SQLite, or the rows of each table. */
  content: Type.Union([Type.Literal('sqlite'), Type.Literal('rows')]),
  reason: Type.Unsafe<Reason>({ enum: [...reasons] }),
  createdAt: Type.String({ maxLength: 40 }),
  program: Type.String({ maxLength: 100 }),
  schemaVersion: Type.Integer({ minimum: 1 }),
  /** It counts the rows of each table. */
  tables: Type.Record(Type.String({ maxLength: 100 }), Whole),
  pictures: Whole,
  parts: Type.Array(Part, { maxItems: 1000 }),
})
export type ArchiveManifest = Static<typeof Manifest>

export const formatNumber = 1
export const manifestName = 'manifest.json'
export const databaseName = 'carrel.db'
export const picturesName = 'pictures.jsonl'
export const tablePart = (table: string): string => `tables/${table}.jsonl`

/** Undefined: it is no manifest of ours. */
export const parseManifest = (text: string): ArchiveManifest | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return Check(Manifest, value) ? value : undefined
  } catch {
    return undefined
  }
}

const digits = 16
const digestLength = 64

/** The comment of the ZIP but for the digest, which is of everything up to it. */
export const trailerOf = ({ offset, size }: Pick<Part, 'offset' | 'size'>): Buffer =>
  Buffer.from(`carrel manifest=${String(offset).padStart(digits, '0')}+${String(size).padStart(digits, '0')} sha256=`)

export const trailerLength = trailerOf({ offset: 0, size: 0 }).length + digestLength

interface Trailer {
  readonly offset: number
  readonly size: number
  readonly digest: string
}

export const parseTrailer = (bytes: Buffer): Trailer | undefined => {
  const match = /^carrel manifest=(\d{16})\+(\d{16}) sha256=([0-9a-f]{64})$/.exec(bytes.toString('latin1'))
  return match ? { offset: Number(match[1]), size: Number(match[2]), digest: match[3] ?? '' } : undefined
}
