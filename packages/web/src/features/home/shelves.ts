import type { ItemOf, Kind } from '../../lists/kinds.ts'
import { parseListSearch, searchText, type SearchWords } from '../../lists/list-search.ts'
import { sourceOf } from '../../lists/sources.ts'
import type { PageQuery } from '../../lists/use-pages.ts'
import { paths } from '../../paths.ts'

export interface Shelf {
  /** Its name is the string `shelf.<key>`. */
  readonly key: 'continue' | 'added' | 'updated'
  /** The whole list, of which the shelf shows the beginning. */
  readonly all: string
  readonly query: PageQuery<ItemOf[Kind]>
}

const shelf = (key: Shelf['key'], kind: Kind, words: SearchWords): Shelf => ({
  key,
  all: (kind === 'series' ? paths.seriesList() : paths.bookList()) + searchText(words),
  query: sourceOf<Kind>(kind, parseListSearch<Kind>(kind, words)).page(1),
})

/** Each is the beginning of a list that has an address of its own. */
export const shelves: readonly Shelf[] = [
  shelf('continue', 'books', { read: 'in_progress', sort: '-read' }),
  shelf('added', 'books', { sort: '-added' }),
  shelf('updated', 'series', { sort: '-updated' }),
]
