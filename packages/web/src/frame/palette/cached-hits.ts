import type { BookDto, SeriesDto } from '@carrel/api'
import { queryClient } from '../../api/queries.ts'
import { type Hit, hitOfBook, hitOfSeries, keyOfHit } from './hits.ts'

/** Deeper than a list of shelves of cards nothing is looked for. */
const depthMax = 4

/** All books, series and names that the app has been told of lately, as it was told last. */
export const hitsInCache = (): readonly Hit[] => {
  const hits = new Map<string, Hit>()
  const answers = queryClient
    .getQueryCache()
    .getAll()
    .toSorted((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
  for (const { state } of answers) gather(state.data, depthMax, hits)
  return [...hits.values()]
}

const gather = (value: unknown, depth: number, hits: Map<string, Hit>): void => {
  if (typeof value !== 'object' || value === null) return
  const hit = hitOf(value)
  if (hit) hits.set(keyOfHit(hit), hit)
  else if (depth > 0) for (const each of Object.values(value)) gather(each, depth - 1, hits)
}

const hitOf = (value: object): Hit | undefined => {
  if ('value' in value && 'kind' in value && 'count' in value && 'id' in value) return value as Hit
  if (!('coverVersion' in value && 'title' in value && 'libraryName' in value)) return undefined
  if ('seriesName' in value && 'readProgress' in value && 'deleted' in value) {
    return value.deleted === true ? undefined : hitOfBook(value as BookDto)
  }
  return 'bookCount' in value && 'unreadCount' in value ? hitOfSeries(value as SeriesDto) : undefined
}
