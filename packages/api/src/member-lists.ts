import { type Static, type TSchema, Type } from 'typebox'
import { coverFields } from './cover-fields.ts'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'
import { byId, Id, Nullable, OneOf, record, sortBy, Timestamp } from './schema.ts'

/** The limit holds for one request. */
export const membersAtOnceMax = 10_000
/** The limit holds for one collection or read list. */
export const membersMax = 50_000
export const automaticCollectionsMax = 200

/** Ten thousand ids, and room. */
export const membersBytesMax = 1024 * 1024

export const listNameMax = 200
const ListName = Type.String({ minLength: 1, maxLength: listNameMax })
const ListSummary = Nullable(Type.String({ maxLength: 10_000 }))

export const listFields = {
  id: Id,
  name: Type.String(),
  summary: Nullable(Type.String()),
  ordered: Type.Boolean({ description: 'Shown in an order of its own, unless another is asked for.' }),
  fromFiles: Type.Boolean({ description: 'The files of books name it, and the server has made it.' }),
  followsFiles: Type.Boolean({ description: 'It holds what those files say: nobody has changed it since.' }),
} as const

export const listTimes = { createdAt: Timestamp, updatedAt: Timestamp } as const

export const newListFields = (isOrdered: boolean) => ({
  name: ListName,
  summary: Type.Optional(ListSummary),
  ordered: Type.Optional(Type.Boolean({ default: isOrdered })),
  followsFiles: Type.Optional(
    Type.Boolean({
      description:
        'With the name alone: the list that files call so, which was deleted. What they say is in it in a moment; `conflict` when none does any more.',
    }),
  ),
})

export const listPatchFields = {
  name: Type.Optional(ListName),
  summary: Type.Optional(ListSummary),
  ordered: Type.Optional(Type.Boolean()),
  followsFiles: Type.Optional(
    Type.Boolean({
      description:
        'Of a list from files, alone: true makes it what the files say again, which takes a moment; false keeps it as it is. Any other change keeps it too.',
    }),
  ),
} as const

export const MemberIds = Type.Array(Id, { maxItems: membersAtOnceMax, uniqueItems: true })

export const NewPosition = record(
  { position: Type.Integer({ minimum: 1, maximum: membersMax, description: 'Among what you may see, from 1.' }) },
  { title: 'NewPosition' },
)

/** A list is drawn as a fan of its first covers. */
export const coversOfListMax = 4

const MemberCover = record(
  {
    id: Id,
    ...coverFields,
  },
  { title: 'MemberCover' },
)
export type MemberCover = Static<typeof MemberCover>

export const coversOfList = (of: string) =>
  Type.Array(MemberCover, {
    description: `Of its first ${of} in the order it is shown in, at most ${coversOfListMax}.`,
  })

/** What tells the endpoints of collections from those of read lists. */
interface ListKind {
  readonly tag: string
  readonly words: { readonly list: string; readonly lists: string; readonly member: string; readonly members: string }
  readonly access: { readonly read: Permission; readonly write: Permission; readonly delete: Permission }
  readonly list: {
    readonly schema: TSchema
    readonly editable: TSchema
    readonly page: string
    readonly example: unknown
  }
  /** One among all, with what it is drawn by. */
  readonly entry: { readonly schema: TSchema; readonly page: string }
  readonly member: { readonly schema: TSchema; readonly page: string; readonly orders: readonly string[] }
  /** Several members, and one in a list. */
  readonly added: TSchema
  readonly ordered: TSchema
  readonly exampleIds: object
  readonly memberParams: TSchema
  readonly refusals: readonly ErrorCode[]
}

const errors = ['not_found'] as const

/** Endpoints of both, but for what only one of them says. */
export const listShapes = <const Kind extends ListKind>(kind: Kind) => {
  const { tag, words } = kind
  // The types of what a kind holds are its own, to the letter.
  const { read, write, delete: drop }: Kind['access'] = kind.access
  const list: Kind['list']['schema'] = kind.list.schema
  const editable: Kind['list']['editable'] = kind.list.editable
  const entry: Kind['entry']['schema'] = kind.entry.schema
  const one = { tag, params: byId } as const
  return {
    all: {
      tag,
      access: read,
      item: entry,
      title: kind.entry.page,
      summary: `List ${words.lists}`,
      query: Type.Object({ sort: sortBy(['name', 'createdAt', 'updatedAt']) }),
    },
    holding: {
      tag,
      access: read,
      item: list,
      title: kind.list.page,
      params: byId,
      summary: `List the ${words.lists} a ${words.member} is in`,
      query: Type.Object({}),
      errors,
    },
    create: { tag, access: write, summary: `Create a ${words.list}`, reply: list, editable, status: 201 },
    read: {
      ...one,
      access: read,
      summary: `Read one ${words.list}`,
      reply: list,
      editable,
      errors,
      example: { reply: kind.list.example },
    },
    update: { ...one, access: write, summary: `Change a ${words.list}`, guards: editable, reply: list, editable },
    delete: {
      ...one,
      access: drop,
      summary: `Delete a ${words.list}`,
      description: `Its ${words.members} stay.`,
      guards: editable,
      errors,
    },
    thumbnail: {
      ...one,
      access: read,
      summary: `The cover of the first ${words.member} of a ${words.list}`,
      description: 'Leads on to the address of that cover.',
      status: 307,
      errors,
    },
    ...memberShapes(kind),
  } as const
}

const memberShapes = <const Kind extends ListKind>(kind: Kind) => {
  const { tag, words, refusals } = kind
  const { read, write }: Kind['access'] = kind.access
  const list: Kind['list']['schema'] = kind.list.schema
  const item: Kind['member']['schema'] = kind.member.schema
  const [added, ordered, memberParams]: [Kind['added'], Kind['ordered'], Kind['memberParams']] = [
    kind.added,
    kind.ordered,
    kind.memberParams,
  ]
  const several = { tag, access: write, params: byId, bodyBytesMax: membersBytesMax } as const
  const single = { tag, access: write, params: memberParams, errors: refusals } as const
  type Order = `${Kind['member']['orders'][number]},${'asc' | 'desc'}`
  const orders = kind.member.orders.flatMap((field) => [`${field},asc`, `${field},desc`]) as Order[]
  return {
    members: {
      tag,
      params: byId,
      access: read,
      summary: `List the ${words.members} of a ${words.list}`,
      description: 'Without `sort`: by hand where it is ordered, else by title.',
      // The contract sets no default: it depends on the list.
      query: Type.Object({ sort: Type.Optional(OneOf(orders, { description: 'Field and direction.' })) }),
      item,
      title: kind.member.page,
      errors,
    },
    add: {
      ...several,
      summary: `Add ${words.members} to a ${words.list}`,
      description: 'Behind the others, in the order given. Those that are in it stay where they are.',
      body: added,
      reply: list,
      errors: ['not_found', 'conflict'],
      example: { body: kind.exampleIds, reply: kind.list.example },
    },
    order: {
      ...several,
      summary: `Put ${words.members} of a ${words.list} in order`,
      description: 'They share the places that they have now, in this order; all others stay where they are.',
      body: ordered,
      errors: refusals,
      example: { body: kind.exampleIds },
    },
    move: {
      ...single,
      summary: `Move a ${words.member} to another place in a ${words.list}`,
      description: 'What stands between the two places moves up. Beyond the end is the end.',
      body: NewPosition,
      example: { body: { position: 1 } },
    },
    remove: { ...single, summary: `Take a ${words.member} out of a ${words.list}` },
  } as const
}
