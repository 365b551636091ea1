import { BookMetadataPatch, SeriesMetadataPatch } from '@carrel/api'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { type Entity, inContract, type LayersBySource, type Word } from '../../catalogue/metadata/metadata.ts'

/** Where the file of a book lies: the book is known again by that, or by its content where it has moved since. */
const BookLocation = Type.Object({
  root: Type.String({ maxLength: 4096 }),
  /** Below the root. */
  path: Type.String({ minLength: 1, maxLength: 4096 }),
  contentHash: Type.Union([Type.String({ pattern: '^[0-9a-f]{8,128}$' }), Type.Null()]),
})
export type BookLocation = Static<typeof BookLocation>

const SaidWord = Type.Object({ value: Type.Unknown(), at: Type.Optional(Type.String({ maxLength: 40 })) })
const SaidBySource = Type.Record(
  Type.String({ maxLength: 200 }),
  Type.Record(Type.String({ maxLength: 100 }), SaidWord),
)

const Sidecar = Type.Object({
  carrel: Type.Literal('sidecar'),
  version: Type.Literal(1),
  kind: Type.Union([Type.Literal('book'), Type.Literal('series')]),
  library: Type.String({ maxLength: 500 }),
  /** The sidecar of a series names some of its books, by which the series is known again. */
  books: Type.Array(BookLocation, { maxItems: 100 }),
  /** All that is shown, as the API has it: for other programs. */
  shown: Type.Record(Type.String(), Type.Unknown()),
  /** What people and plugins have said, field by field: what the files do not say themselves. */
  said: SaidBySource,
})
export type Sidecar = Static<typeof Sidecar>

export const sidecarSuffix = '.carrel.json'
export const sidecarBytesMax = 4 * 1024 * 1024

/** Undefined: it is none of ours, or one that a newer program has written. */
export const parseSidecar = (text: string): Sidecar | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return Check(Sidecar, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whoever has said it is nobody that another server knows. */
export const saidIn = (words: LayersBySource): Sidecar['said'] =>
  Object.fromEntries(
    (Object.entries(words) as [string, Readonly<Record<string, Word>>][])
      .filter(([, spoken]) => Object.keys(spoken).length > 0)
      .map(([source, spoken]) => [
        source,
        Object.fromEntries(
          Object.entries(spoken).map(([field, { value, at }]) => [
            field,
            // When something was locked is not always known, and changes nothing.
            source === 'lock' ? { value } : { value, at },
          ]),
        ),
      ]),
  )

const schemas: Readonly<Record<Entity, { readonly properties: Readonly<Record<string, object>> }>> = {
  book: BookMetadataPatch,
  series: SeriesMetadataPatch,
}
const pluginSource = /^plugin:[a-z0-9][a-z0-9._-]{0,99}$/

/** What of it can be said here: a file may have been changed by anybody, and must not say what nobody could. */
export const wordsIn = ({ kind, said }: Pick<Sidecar, 'kind' | 'said'>, now: Date): LayersBySource => {
  const words: Record<string, Record<string, Word>> = { user: {}, lock: {} }
  for (const [source, spoken] of Object.entries(said)) {
    if (source !== 'user' && source !== 'lock' && !pluginSource.test(source)) continue
    words[source] = Object.fromEntries(
      Object.entries(spoken)
        .filter(([field, { value }]) => maySay(kind, field, value, source))
        .map(([field, { value, at }]) => [field, { value, at: timeIn(at) ?? now.toISOString(), by: null }]),
    )
  }
  return words as unknown as LayersBySource
}

/** A picture has no value: it is only ever locked. */
const pictureField = 'cover'

const maySay = (entity: Entity, field: string, value: unknown, source: string): boolean => {
  if (field === pictureField) return source === 'lock' && value === null
  const { properties } = schemas[entity]
  const name = inContract(entity, field)
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
  return schema !== undefined && Check(schema, value)
}

const timeIn = (text: string | undefined): string | undefined => {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
