import {
  listLibraries,
  listLibraryJobs,
  listMetadataMatches,
  listPluginActions,
  readLibrary,
  readMe,
} from '@carrel/api'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { everyLibrary, waitingInput } from './inputs.ts'
import type { QueueSearch } from './match-search.ts'
import { matchables } from './matchable.ts'

/** What the pages on matching begin with; apart from their routes, which are there before anybody wants them. */
export const loadSubject = async (kind: 'series' | 'book', id: string): Promise<void> => {
  const { permissions } = await ensure(readMe, {})
  const { read, permission } = matchables[kind]
  const { libraryId } = await ensure(read, { params: { id } })
  // For whoever may not match it, the page says so.
  if (!permissions.includes(permission) || !permissions.includes('libraries:read')) return
  await ensure(listPluginActions, { query: { scope: `${kind}:detail`, libraryId } })
}

export const loadQueue = async (search: QueueSearch): Promise<void> => {
  const { permissions } = await ensure(readMe, {})
  await Promise.all([
    // What waits is told by no event: it is asked anew whenever somebody comes.
    queryClient.fetchQuery({ ...query(listMetadataMatches, waitingInput(search)), staleTime: 0 }),
    ...(permissions.includes('libraries:read') ? [ensure(listLibraries, everyLibrary)] : []),
  ])
}

export const loadLibrary = async (id: string): Promise<void> => {
  const params = { id }
  await Promise.all([
    ensure(readLibrary, { params }),
    ensure(listLibraryJobs, { params }),
    queryClient.prefetchQuery(query(listPluginActions, { query: { scope: 'series:detail', libraryId: id } })),
    queryClient.prefetchQuery(query(listPluginActions, { query: { scope: 'book:detail', libraryId: id } })),
  ])
}
