import {
  listLibraries,
  listLibraryJobs,
  listMetadataMatches,
  listPluginActions,
  readLibrary,
  readMe,
} from '@carrel/api'
import { ensure, query, queryClient, readAnew } from '../../api/queries.ts'
import { everyLibrary, waitingInput } from './inputs.ts'
import type { QueueSearch } from './match-search.ts'
import { matchables } from './matchable.ts'

/**
 * The pages on matching load these first; the code is separate from their routes, which are loaded before anybody needs
 * it.
 */
export const loadSubject = async (kind: 'series' | 'book', id: string): Promise<void> => {
  const { permissions } = await ensure(readMe, {})
  const { read, permission } = matchables[kind]
  const { libraryId } = await ensure(read, { params: { id } })
  // The page itself tells whoever may not match.
  if (!permissions.includes(permission) || !permissions.includes('libraries:read')) return
  await ensure(listPluginActions, { query: { scope: `${kind}:detail`, libraryId } })
}

export const loadQueue = async (search: QueueSearch): Promise<void> => {
  const { permissions } = await ensure(readMe, {})
  await Promise.all([
    // No event announces what waits: it is read again whenever somebody opens the page.
    readAnew(listMetadataMatches, waitingInput(search)),
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
