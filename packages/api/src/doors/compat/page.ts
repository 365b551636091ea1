import { type Static, type TSchema, Type } from 'typebox'
import { Count, Count32, record } from '../../schema.ts'

/** An id as either side spells it. What is none belongs to nothing: 404, and no fault of form. */
export const CompatId = Type.String({ minLength: 1, maxLength: 64, description: 'With hyphens or without.' })

export const byCompatId = Type.Object({ id: CompatId })

/** A date and time without fraction. */
export const CompatTime = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$', maxLength: 20 })

/** A parameter that may stand there several times. */
export const Repeated = Type.Unsafe<string | string[]>({
  title: 'Repeated',
  anyOf: [
    { type: 'string', maxLength: 4096 },
    { type: 'array', items: { type: 'string', maxLength: 4096 }, maxItems: 1000 },
  ],
})

/** A value that cannot be read as a number counts as absent. */
export const compatPaging = {
  page: Type.Optional(Repeated),
  size: Type.Optional(Repeated),
  unpaged: Type.Optional(Repeated),
  sort: Type.Optional(Repeated),
}

const Sort = record(
  { empty: Type.Boolean(), sorted: Type.Boolean(), unsorted: Type.Boolean() },
  { title: 'CompatSort' },
)

const Pageable = record(
  {
    offset: Count,
    pageNumber: Count32,
    pageSize: Count32,
    paged: Type.Literal(true),
    unpaged: Type.Literal(false),
    sort: Sort,
  },
  { title: 'CompatPageable' },
)

/** The page as Spring writes it, counted from 0. */
export const compatPageOf = <Item extends TSchema>(item: Item, title: string) =>
  record(
    {
      content: Type.Array(item),
      pageable: Pageable,
      totalElements: Count,
      totalPages: Count32,
      last: Type.Boolean(),
      first: Type.Boolean(),
      empty: Type.Boolean(),
      number: Count32,
      size: Count32,
      numberOfElements: Count32,
      sort: Sort,
    },
    { title },
  )

const AnyPage = compatPageOf(Type.Unknown(), 'CompatPage')
export type CompatPage<Item> = Omit<Static<typeof AnyPage>, 'content'> & { content: Item[] }
