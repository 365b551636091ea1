import type { Language } from '@carrel/api'
import type { Context } from '../../../context.ts'
import type { Texts } from '../../../texts/texts.ts'
import { listsOfBooks } from '../../../features/books/books.ts'
import { homesOf } from '../../../features/home/home.ts'
import { listsOfSeries } from '../../../features/series/series.ts'
import { bookFeeds } from './book-feeds.ts'
import type { Lists } from './heads.ts'
import { latestChangesOf } from './home-groups.ts'
import { listFeeds } from './list-feeds.ts'
import { searchFeeds } from './search-feeds.ts'
import { seriesFeeds } from './series-feeds.ts'
import { shelfFeeds } from './shelf-feeds.ts'
import { termFeeds } from './term-feeds.ts'
import { personalFeeds } from './personal-feeds.ts'

/** There is a catalogue for each language that somebody reads it in. */
export const cataloguesOf = (context: Context): ((texts: Texts) => Catalogue) => {
  const lists = {
    context,
    books: listsOfBooks(context),
    series: listsOfSeries(context),
    readHome: homesOf(context.db),
    latestChange: latestChangesOf(context.db),
  }
  const catalogues = new Map<Language, Catalogue>()
  return (texts) => {
    const catalogue = catalogues.get(texts.language) ?? catalogueOf({ ...lists, texts })
    catalogues.set(texts.language, catalogue)
    return catalogue
  }
}

/** It offers everything of this door as feeds; their content comes from the features. */
const catalogueOf = (lists: Lists) => ({
  ...shelfFeeds(lists),
  ...bookFeeds(lists),
  ...seriesFeeds(lists),
  ...listFeeds(lists),
  ...searchFeeds(lists),
  ...termFeeds(lists),
  ...personalFeeds(lists),
})

export type Catalogue = ReturnType<typeof catalogueOf>
