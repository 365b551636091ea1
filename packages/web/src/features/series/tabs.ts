import { paths } from '../../navigation/paths.ts'
import { wholeNumber, wordOf } from '../../navigation/search-params.ts'

/** The parts of the page below its head; the first has no word in the address. */
const tabs = ['volumes', 'related', 'you', 'details'] as const
export type SeriesTab = (typeof tabs)[number]

export const tabIn = (words: Readonly<Record<string, unknown>>): SeriesTab => wordOf(tabs, words.tab) ?? 'volumes'

/** Which page of the files is looked at, behind the details. */
export const filesPageIn = (words: Readonly<Record<string, unknown>>): number =>
  wholeNumber(words.files === undefined ? undefined : Number(words.files), 1, 100_000) ?? 1

export const addressOfTab = (seriesId: string, tab: SeriesTab): string =>
  paths.series(seriesId) + (tab === 'volumes' ? '' : `?tab=${tab}`)
