import type { MetadataPreviewResponse } from '@carrel/api'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { queryClient } from '../../api/queries.ts'
import type { Matchable } from './matchable.ts'

/**
 * Questions to plugins. Known by words of their own, so that no event asks them again by itself: a plugin may not be asked
 * often. One that fails says so at once; whoever wants to may try again.
 */
const once = { retry: false, refetchOnReconnect: false } as const

const finds = 'what a plugin finds'

/** The list of refused results has changed, so the results are requested again when they are needed. */
export const forgetResults = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [finds] })

interface SearchOptions {
  readonly pluginId: string
  /** Undefined: the title, as the plugin is set up to be asked for it. */
  readonly query: string | undefined
}

export const searching = (of: Matchable, id: string, { pluginId, query }: SearchOptions) =>
  infiniteQueryOptions({
    ...once,
    queryKey: [finds, of.kind, id, pluginId, query ?? ''],
    queryFn: async ({ signal, pageParam: cursor }) => {
      const body = { pluginId, ...(query !== undefined && { query }), ...(cursor !== null && { cursor }) }
      return (await call(of.search, { params: { id }, body }, { signal })).body
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

interface PreviewOptions {
  readonly pluginId: string
  readonly externalId: string
}

export interface Previewed extends MetadataPreviewResponse {
  readonly etag: string | null
}

/** The request carries the ETag of what it was compared with: when that has changed meanwhile, nothing is applied. */
export const previewing = (of: Matchable, id: string, options: PreviewOptions) =>
  queryOptions({
    ...once,
    queryKey: ['what a match would change', of.kind, id, options.pluginId, options.externalId],
    queryFn: async ({ signal }): Promise<Previewed> => {
      const { etag } = await call(of.readMetadata, { params: { id } }, { signal })
      const { body } = await call(of.preview, { params: { id }, body: options }, { signal })
      return { ...body, etag }
    },
    staleTime: 0,
    gcTime: 0,
  })
