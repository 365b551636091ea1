import { type Static, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox'

/** An object that has these fields and no others: in a body an unknown field is refused, in a reply it is a bug. */
export const record = <Properties extends TProperties>(properties: Properties, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** `type: [T, 'null']` where possible: clients generated from it are plainer than with a union. */
export const Nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: values, title } = schema as { type?: unknown; enum?: readonly unknown[]; title?: string }
  const nullable =
    typeof type === 'string' && title === undefined
      ? { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) }
      : { anyOf: [schema, { type: 'null' }] }
  return Type.Unsafe<Static<S> | null>(nullable)
}

/** A closed set of words. */
export const OneOf = <const Words extends readonly string[]>(words: Words, options: object = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })

export const Id = Type.String({ format: 'uuid' })
export const Timestamp = Type.String({ format: 'date-time' })
export const Count = Type.Integer({ minimum: 0 })
/** Generated clients store it in 32 bits; every other whole number is an int64, every other number a double. */
export const Int32 = Type.Integer({ format: 'int32' })
export const Count32 = Type.Integer({ format: 'int32', minimum: 0 })
export const Float = Type.Number({ format: 'float' })

export const Json = Type.Unsafe<unknown>({ description: 'Any JSON value.' })

export const byId = Type.Object({ id: Id })

/** `sort=<field>,<asc|desc>` over a closed set of fields, the first being the default. */
export const sortBy = <const Fields extends readonly string[]>(fields: Fields) =>
  Type.Optional(
    Type.Unsafe<`${Fields[number]},${'asc' | 'desc'}`>({
      type: 'string',
      enum: fields.flatMap((field) => [`${field},asc`, `${field},desc`]),
      default: `${fields[0]},asc`,
      description: 'Field and direction.',
    }),
  )

export interface Envelope<Item> {
  readonly data: readonly Item[]
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly totalPages: number
  readonly totalIsLowerBound?: true
  readonly links: {
    readonly self: string
    readonly first: string
    readonly prev: string | null
    readonly next: string | null
    readonly last: string
  }
}

const Link = Type.String({ description: 'Relative to the server, with page and pageSize.' })

const PageLinks = record(
  { self: Link, first: Link, prev: Nullable(Link), next: Nullable(Link), last: Link },
  { title: 'PageLinks' },
)

export const envelopeOf = (item: TSchema, title: string) =>
  record(
    {
      data: Type.Array(item),
      page: Type.Integer({ minimum: 1 }),
      pageSize: Type.Integer({ minimum: 1, maximum: 500 }),
      total: Count,
      totalPages: Count,
      totalIsLowerBound: Type.Optional(Type.Literal(true)),
      links: PageLinks,
    },
    { title },
  )

export const pagingParameters = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'The page, counted from 1.' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Items on a page.' })),
}
