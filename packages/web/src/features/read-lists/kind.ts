import {
  addToReadList,
  type ReadListDto,
  type ListedReadList,
  createReadList,
  deleteReadList,
  listReadLists,
  listBooksOfReadList,
  moveInReadList,
  readReadList,
  removeFromReadList,
  type BookDto,
  updateReadList,
} from '@carrel/api'
import type { ListKind } from '../../lists/named/kind.ts'
import { paths } from '../../navigation/paths.ts'

interface Types {
  readonly list: ReadListDto
  readonly entry: ListedReadList
  readonly member: BookDto
  readonly ids: { readonly bookIds: string[] }
  readonly memberParams: { readonly id: string; readonly bookId: string }
}

export const readLists: ListKind<Types> = {
  key: 'read-lists',
  icon: 'list',
  content: 'books',
  isOrdered: true,
  mayWrite: 'readlists:write',
  mayDelete: 'readlists:delete',
  pathOfAll: paths.readLists,
  pathOf: paths.readList,
  countOf: ({ bookCount }) => bookCount,
  idsOf: (ids) => ({ bookIds: [...ids] }),
  memberParamsOf: (id, bookId) => ({ id, bookId }),
  restOf: () => ({}),
  endpoints: {
    all: listReadLists,
    create: createReadList,
    read: readReadList,
    update: updateReadList,
    delete: deleteReadList,
    members: listBooksOfReadList,
    add: addToReadList,
    move: moveInReadList,
    remove: removeFromReadList,
  },
}
