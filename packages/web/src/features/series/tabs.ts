import { paths } from '../../navigation/paths.ts'
import { wordOf } from '../../navigation/search-params.ts'

/** The parts of the page below its head; the first has no word in the address. */
const tabs = ['volumes', 'related', 'you', 'details'] as const
export type SeriesTab = (typeof tabs)[number]

export const tabIn = (words: Readonly<Record<string, unknown>>): SeriesTab => wordOf(tabs, words.tab) ?? 'volumes'

export const addressOfTab = (seriesId: string, tab: SeriesTab): string =>
  paths.series(seriesId) + (tab === 'volumes' ? '' : `?tab=${tab}`)
