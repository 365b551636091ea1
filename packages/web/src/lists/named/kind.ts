import type {
  BookDto,
  Endpoint,
  Envelope,
  ListedReadList,
  NewReadList,
  Permission,
  ReadListDto,
  ReadListPatch,
  SeriesDto,
} from '@carrel/api'

type ById = { readonly params: { readonly id: string } }
type Paged = { readonly query?: { readonly page?: number; readonly pageSize?: number } }

/** What the endpoints of a kind take and answer: lists, members, the ids of several members, and one in a list. */
export interface ListTypes {
  readonly list: Omit<ReadListDto, 'bookCount'>
  /** One among all, with what it is drawn by. */
  readonly entry: Omit<ReadListDto, 'bookCount'> & Pick<ListedReadList, 'covers'> & Partial<AheadOfList>
  readonly member: SeriesDto | BookDto
  readonly ids: object
  readonly memberParams: object
}

/** How far somebody is in a list, where the server tells it with the list. */
export type AheadOfList = Pick<ListedReadList, 'readCount' | 'next'>

/** What tells collections from read lists: both are lists that people name and fill. */
export interface ListKind<Types extends ListTypes> {
  readonly key: string
  readonly icon: 'collection' | 'list'
  readonly content: 'series' | 'books'
  readonly isOrdered: boolean
  readonly mayWrite: Permission
  readonly mayDelete: Permission
  readonly pathOfAll: () => string
  readonly pathOf: (id: string) => string
  readonly countOf: (list: Types['list']) => number
  readonly idsOf: (ids: readonly string[]) => Types['ids']
  readonly memberParamsOf: (id: string, memberId: string) => Types['memberParams']
  /** What else is needed to make a list again as it was. */
  readonly restOf: (list: Types['list']) => object
  readonly endpoints: {
    readonly all: Endpoint<Paged, Envelope<Types['entry']>, unknown>
    readonly create: Endpoint<{ readonly body: NewReadList }, Types['list']>
    readonly read: Endpoint<ById, Types['list']>
    readonly update: Endpoint<ById & { readonly body: ReadListPatch }, Types['list']>
    readonly delete: Endpoint<ById, undefined>
    readonly members: Endpoint<ById & Paged, Envelope<Types['member']>, unknown>
    readonly add: Endpoint<ById & { readonly body: Types['ids'] }, Types['list']>
    readonly move: Endpoint<
      { readonly params: Types['memberParams']; readonly body: { readonly position: number } },
      undefined
    >
    readonly remove: Endpoint<{ readonly params: Types['memberParams'] }, undefined>
  }
}
