import type { ListAnswer } from '@carrel/api'
import type { Database } from '../../database/database.ts'
import { type Cursor, keyOf, type ListRequest, type Paths, readNear, type Stretch } from '../../filtering/filtering.ts'
import type { Paging } from '../../platform/paging.ts'
import { type CachedAnswers, cachedAnswers, sharedAnswers } from './cached-answers.ts'
import { readAsOfNow } from './read-as-of-now.ts'
import type { Viewer } from './viewer.ts'

/** So many pages are kept, if they are of at most so many rows; and the totals and cursors of so many lists. */
const keptMax = { pages: 64, rows: 100, lists: 200 }

/** Somebody who looks at a list, as it was when they began to. */
export interface ListView<Total> {
  total(count: () => Promise<Total>): Promise<Total>
  /** Rows of a list in the order of an index, be they as far down as they may. */
  rows<Rows>(stretch: Stretch, paths: Paths<Rows>): Promise<Rows>
}

/** The rows of a page, and whether another reader with the same rights may get others. */
interface ListedRows {
  readonly rows: readonly unknown[]
  readonly isOfReader: boolean
}

export interface CachedLists<Item, Listed, Total> {
  page(
    viewer: Viewer,
    request: ListRequest,
    paging: Paging,
    ask: () => Promise<ListAnswer<Item>>,
  ): ListAnswer<Item> | Promise<ListAnswer<Item>>
  /** Which rows a page has. Where readers have no part in it, whatever they do changes no more than what is shown beside. */
  listed(viewer: Viewer, request: ListRequest, paging: Paging, ask: () => Promise<Listed>): Promise<Listed>
  view(viewer: Viewer, request: ListRequest, isOfReader: boolean): Promise<ListView<Total>>
}

/** What was found out about lists, until anything changes that the viewer may be shown (decisions 023, 063 and 089). */
export const cachedLists = <Item, Listed extends ListedRows, Total>(
  db: Pick<Database, 'changeMark' | 'replica'>,
): CachedLists<Item, Listed, Total> => {
  const isShort = (rows: readonly unknown[]): boolean => rows.length <= keptMax.rows
  const pages = cachedAnswers<ListAnswer<Item>>(db, keptMax.pages, ({ data }) => isShort(data))
  const listed = sharedAnswers<Listed>(db, keptMax.pages, ({ rows, isOfReader }) => isShort(rows) && !isOfReader)
  const own = { totals: cachedAnswers<Total>(db, keptMax.lists), cursors: cachedAnswers<Cursor[]>(db, keptMax.lists) }
  const shared = {
    totals: sharedAnswers<Total>(db, keptMax.lists),
    cursors: sharedAnswers<Cursor[]>(db, keptMax.lists),
  }
  const from = async <Value>(
    answers: CachedAnswers<Value>,
    viewer: Viewer,
    request: ListRequest,
    ask: () => Promise<Value>,
  ) => {
    const key = keyOf(request)
    return key === undefined ? ask() : answers(viewer, key, ask)
  }

  return {
    page: (viewer, request, { offset, limit }, ask) => {
      const key = keyOf(request)
      return key === undefined ? readAsOfNow(db, viewer, ask) : pages(viewer, `${offset} ${limit} ${key}`, ask)
    },
    listed: async (viewer, request, { offset, limit }, ask) => {
      const key = keyOf(request)
      return key === undefined ? ask() : listed(viewer, `${offset} ${limit} ${key}`, ask)
    },
    view: async (viewer, request, isOfReader) => {
      const { totals, cursors } = isOfReader ? own : shared
      const mark = await db.changeMark(viewer.userId)
      const isSame = async () => (await db.changeMark(viewer.userId)) === mark
      return {
        total: (count) => from(totals, viewer, { ...request, sort: undefined, seed: undefined }, count),
        rows: async (stretch, paths) =>
          readNear({ cursors: await from(cursors, viewer, request, async () => []), isSame }, stretch, paths),
      }
    },
  }
}
