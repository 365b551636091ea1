import type { BookSort, SeriesSort } from '@carrel/api'
import { type Parameters } from '../conditions/parameters.ts'

// This file maps the sort orders of these applications to ours.

type Direction = 'asc' | 'desc'

const seriesOrders: Readonly<Record<string, string>> = {
  'metadata.titlesort': 'name',
  name: 'name',
  created: 'createdAt',
  createddate: 'createdAt',
  lastmodified: 'updatedAt',
  lastmodifieddate: 'updatedAt',
  'booksmetadata.releasedate': 'first_released',
  readdate: 'date_read',
  bookscount: 'book_count',
  random: 'random',
  relevance: 'relevance',
}

const bookOrders: Readonly<Record<string, string>> = {
  name: 'filename',
  url: 'filename',
  series: 'series',
  created: 'createdAt',
  createddate: 'createdAt',
  lastmodified: 'updatedAt',
  lastmodifieddate: 'updatedAt',
  filesize: 'file_size',
  size: 'file_size',
  'media.pagescount': 'page_count',
  'metadata.title': 'title',
  'metadata.numbersort': 'number',
  'metadata.releasedate': 'release_date',
  'readprogress.lastmodified': 'last_read',
  'readprogress.readdate': 'last_read',
  relevance: 'relevance',
}

/** Every property with its direction, in the order they are given in. */
const sortsIn = (query: Parameters): { property: string; direction: Direction }[] =>
  [query['sort'], query['sort[]']]
    .flat()
    .filter((each) => typeof each === 'string')
    .flatMap((each) => {
      const words = each.split(',').map((word) => word.trim().toLowerCase())
      const last = words.at(-1)
      const direction = last === 'desc' ? 'desc' : 'asc'
      return words
        .filter((word) => word !== '' && word !== 'asc' && word !== 'desc')
        .map((property) => ({ property, direction }))
    })

/** The first that is known decides; ours end in one that leaves no ties. */
const firstKnown = (query: Parameters, orders: Readonly<Record<string, string>>): string | undefined => {
  for (const { property, direction } of sortsIn(query)) {
    const order = Object.hasOwn(orders, property) ? orders[property] : undefined
    if (order === undefined) continue
    // The best first, whichever way round they say it.
    return order === 'relevance' ? 'relevance,desc' : `${order},${direction}`
  }
  return undefined
}

export const seriesSortIn = (query: Parameters): SeriesSort | undefined =>
  firstKnown(query, seriesOrders) as SeriesSort | undefined

export const bookSortIn = (query: Parameters): BookSort | undefined =>
  firstKnown(query, bookOrders) as BookSort | undefined
