import { BookMetadataPatch, SeriesMetadataPatch } from '@carrel/api'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { type GivenCover, isSoundPicture, PackedPicture } from '../covers/covers.ts'
import { type Entity, inContract, type LayersBySource, type Word } from '../../catalogue/metadata/metadata.ts'

/** Where the file of a book lies: the book is known again by that, or by its content where it has moved since. */
const BookLocation = Type.Object({
  root: Type.String({ maxLength: 4096 }),
  /** Below the root. */
  path: Type.String({ minLength: 1, maxLength: 4096 }),
  contentHash: Type.Union([Type.String({ pattern: '^[0-9a-f]{8,128}$' }), Type.Null()]),
})
export type BookLocation = Static<typeof BookLocation>

const WrittenValue = Type.Object({ value: Type.Unknown(), at: Type.Optional(Type.String({ maxLength: 40 })) })
const ValuesBySource = Type.Record(
  Type.String({ maxLength: 200 }),
  Type.Record(Type.String({ maxLength: 100 }), WrittenValue),
)

/** A series is named by its id on the server that has written it, and by nothing else in other sidecars. */
const SeriesId = Type.String({ minLength: 1, maxLength: 100 })
/** Below a root, with a slash at the end. */
const Folder = Type.String({ maxLength: 4096, pattern: String.raw`^[^/][\s\S]*/$` })

const BookOverride = Type.Object({
  series: SeriesId,
  at: Type.Optional(Type.String({ maxLength: 40 })),
  /** What comes into it later goes where the book is. */
  folder: Type.Optional(Folder),
})
export type BookOverride = Static<typeof BookOverride>

const SeriesItself = Type.Object({
  id: SeriesId,
  /** What the grouping of its library knows it by; null: people have made it. */
  key: Type.Union([Type.String({ minLength: 1, maxLength: 8192 }), Type.Null()]),
  name: Type.String({ minLength: 1, maxLength: 10_000 }),
  /** What comes into these goes into it. */
  folders: Type.Array(Type.Object({ folder: Folder, at: Type.Optional(Type.String({ maxLength: 40 })) }), {
    maxItems: 10_000,
  }),
})
export type SeriesItself = Static<typeof SeriesItself>

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Edge = orNull(Type.Integer({ minimum: 1, maximum: 100_000 }))

const WrittenCover = Type.Object({
  source: Type.String({ pattern: '^(upload|page|plugin:[a-z0-9][a-z0-9._-]{0,99})$' }),
  page: Edge,
  width: Edge,
  height: Edge,
  placeholder: orNull(Type.String({ pattern: '^[A-Za-z0-9+/=]{0,100}$' })),
  tone: orNull(Type.String({ pattern: '^(#[0-9a-f]{6}){0,3}$' })),
  at: Type.String({ maxLength: 40 }),
  isShown: Type.Boolean(),
  picture: PackedPicture,
})
export type WrittenCover = Static<typeof WrittenCover>

const Sidecar = Type.Object({
  carrel: Type.Literal('sidecar'),
  version: Type.Literal(1),
  kind: Type.Union([Type.Literal('book'), Type.Literal('series')]),
  library: Type.String({ maxLength: 500 }),
  /** The sidecar of a series names some of its books that nobody has put there: by them the series is known again. */
  books: Type.Array(BookLocation, { maxItems: 100 }),
  /** All that is shown, as the API has it: for other programs. */
  shown: Type.Record(Type.String(), Type.Unknown()),
  /** What people and plugins have said, field by field: what the files do not say themselves. */
  said: ValuesBySource,
  /** A book that people have put into another series, or keep in its own, has it. */
  byHand: Type.Optional(BookOverride),
  /** Only a series has it. */
  series: Type.Optional(SeriesItself),
  /** People and plugins have given them. */
  covers: Type.Optional(Type.Array(WrittenCover, { maxItems: 50 })),
})
export type Sidecar = Static<typeof Sidecar>

export const sidecarSuffix = '.carrel.json'
export const sidecarBytesMax = 16 * 1024 * 1024

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
export const writtenLayersOf = (words: LayersBySource): Sidecar['said'] =>
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

/** A picture that is none of ours is left out, and one at most is shown. */
export const coversIn = ({ covers = [] }: Sidecar, now: Date): readonly (GivenCover & { picture: PackedPicture })[] => {
  const sound = covers.filter(({ picture }) => isSoundPicture(picture))
  const shown = sound.find(({ isShown }) => isShown)
  return sound.map((cover) => {
    const { source, page, width, height, placeholder, tone, picture } = cover
    const [at, contentHash] = [timeIn(cover.at) ?? now.toISOString(), picture.name]
    return { source, page, width, height, placeholder, tone, at, contentHash, isShown: cover === shown, picture }
  })
}

export const timeIn = (text: string | undefined): string | undefined => {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
