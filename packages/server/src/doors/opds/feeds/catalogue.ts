import type { Context } from '../../../context.ts'
import { listsOfBooks } from '../../../features/books/books.ts'
import { listsOfSeries } from '../../../features/series/series.ts'
import { bookFeeds } from './book-feeds.ts'
import type { Lists } from './heads.ts'
import { listFeeds } from './list-feeds.ts'
import { searchFeeds } from './search-feeds.ts'
import { seriesFeeds } from './series-feeds.ts'
import { shelfFeeds } from './shelf-feeds.ts'
import { termFeeds } from './term-feeds.ts'
import { personalFeeds } from './personal-feeds.ts'

/** It offers everything of this door as feeds; their content comes from the features. */
export const catalogueOf = (context: Context) => {
  const lists: Lists = { context, books: listsOfBooks(context), series: listsOfSeries(context) }
  return {
    ...shelfFeeds(lists),
    ...bookFeeds(lists),
    ...seriesFeeds(lists),
    ...listFeeds(lists),
    ...searchFeeds(lists),
    ...termFeeds(lists),
    ...personalFeeds(lists),
  }
}

export type Catalogue = ReturnType<typeof catalogueOf>
