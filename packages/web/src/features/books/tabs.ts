import { paths } from '../../navigation/paths.ts'
import { wordOf } from '../../navigation/search-params.ts'

/** The parts of the page below its head; the first has no word in the address. */
const tabs = ['inside', 'details'] as const
export type BookTab = (typeof tabs)[number]

export const tabIn = (words: Readonly<Record<string, unknown>>): BookTab => wordOf(tabs, words.tab) ?? 'inside'

export const addressOfTab = (bookId: string, tab: BookTab): string =>
  paths.book(bookId) + (tab === 'inside' ? '' : `?tab=${tab}`)
