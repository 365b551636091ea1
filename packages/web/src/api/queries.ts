import { type Endpoint, nameOf } from '@carrel/api'
import {
  CancelledError,
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { type Answer, ApiProblem, call } from './call.ts'

/** It is called when the session has ended; main.tsx leads to the sign-in page. */
let sessionEnded: () => void = () => undefined
export const onSessionEnd = (listener: () => void): void => {
  sessionEnded = listener
}

const watchSession = (error: unknown): void => {
  if (error instanceof ApiProblem && error.code === 'not_authenticated') sessionEnded()
}

const passing = new Set(['no_connection', 'unavailable', 'library_unavailable', 'rate_limit_exceeded'])
const isPassing = (error: unknown): boolean => error instanceof ApiProblem && passing.has(error.code)

const retryDelay = (failures: number, error: unknown): number => {
  const seconds = error instanceof ApiProblem ? error.retryAfterSeconds : undefined
  return seconds === undefined ? Math.min(1000 * 2 ** failures, 15_000) : seconds * 1000
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watchSession }),
  mutationCache: new MutationCache({ onError: watchSession }),
  defaultOptions: {
    queries: {
      // The event stream says when something has changed; until then what we have is true.
      staleTime: 5 * 60_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => isPassing(error) && failures < 4,
      retryDelay,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

/** One read of the API as a query, known by its endpoint and its input. */
export const query = <Input, Reply, Result>(endpoint: Endpoint<Input, Reply, Result>, input: NoInfer<Input>) =>
  queryOptions({
    queryKey: [nameOf(endpoint as Endpoint), input] as const,
    queryFn: ({ signal }): Promise<Answer<Reply>> => call(endpoint, input, { signal }),
  })

/**
 * A page that is left takes its unanswered reads along, also one that the loader of the next page waits for by then: it
 * is sent again.
 */
const insist = async <Result>(read: () => Promise<Result>): Promise<Result> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CancelledError && error.revert === true) return insist(read)
    throw error
  }
}

/** A route's loader calls it: it reads unless the answer is in the cache already. */
export const ensure = async <Input, Reply, Result>(
  endpoint: Endpoint<Input, Reply, Result>,
  input: NoInfer<Input>,
): Promise<Reply> => (await insist(() => queryClient.ensureQueryData(query(endpoint, input)))).body

/** A route's loader calls it for what no event announces: it reads in any case. */
export const readAnew = async <Input, Reply, Result>(
  endpoint: Endpoint<Input, Reply, Result>,
  input: NoInfer<Input>,
): Promise<Reply> => (await insist(() => queryClient.fetchQuery({ ...query(endpoint, input), staleTime: 0 }))).body

/**
 * A component reads what a loader has loaded: the data is there at once, otherwise the page's skeleton is shown; errors
 * go to the page's error state.
 */
export const useRead = <Input, Reply, Result>(endpoint: Endpoint<Input, Reply, Result>, input: NoInfer<Input>): Reply =>
  useSuspenseQuery(query(endpoint, input)).data.body

interface ReadOptions {
  readonly enabled?: boolean
  /** It shows what was there before until the new is here: for lists that are being filtered. */
  readonly keepPrevious?: boolean
  /** The event stream does not report its changes: it is read again each time it is shown. */
  readonly isNeverTold?: boolean
  /** It is read again at this interval, because no event announces every change. */
  readonly everyMs?: number
}

/** Parts of a page that come later use it: `data` is undefined until they have loaded. */
export const useLater = <Input, Reply, Result>(
  endpoint: Endpoint<Input, Reply, Result>,
  input: NoInfer<Input>,
  { enabled = true, keepPrevious = false, isNeverTold = false, everyMs }: ReadOptions = {},
) =>
  useQuery({
    ...query(endpoint, input),
    enabled,
    select: ({ body }) => body,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(isNeverTold && { staleTime: 0 }),
  })

/** The tag of a record that has been read, for `ifMatch`. */
export const etagOf = <Input, Reply, Result>(
  endpoint: Endpoint<Input, Reply, Result>,
  input: NoInfer<Input>,
): string | null => queryClient.getQueryData(query(endpoint, input).queryKey)?.etag ?? null

/** Everything read from these endpoints is read again: what is shown at once, the rest when it is needed. @public */
export const invalidate = async (...endpoints: readonly Endpoint[]): Promise<void> => {
  const names = new Set(endpoints.map(nameOf))
  await invalidateWhere(({ name }) => names.has(name))
}

/** It names the request, `GET /api/v1/series/{id}`, and its id. */
export interface QueryTarget {
  readonly name: string
  readonly id?: string | undefined
}

/**
 * Reads of what this tab deletes are marked stale like the others, but not sent again while their page still shows: the
 * answer could only be that it is gone, and this user knows.
 */
export const invalidateWhere = async (isStale: (target: QueryTarget) => boolean): Promise<void> => {
  const matching = (isAboutDeleted: boolean) => (cached: { readonly queryKey: readonly unknown[] }) => {
    const target = targetOf(cached.queryKey)
    return isStale(target) && deletedHere.has(target.id ?? '') === isAboutDeleted
  }
  await Promise.all([
    queryClient.invalidateQueries({ predicate: matching(false) }),
    queryClient.invalidateQueries({ predicate: matching(true), refetchType: 'none' }),
  ])
}

const targetOf = ([name, input]: readonly unknown[]): QueryTarget => {
  const { params } = (input ?? {}) as { params?: { id?: string } }
  return { name: String(name), id: params?.id }
}

const deletedHere = new Set<string>()

/** Whether this tab has deleted it, or is about to: whoever begins to read something of it would be told that it is gone. */
export const isDeletedHere = (id: string): boolean => deletedHere.has(id)

/** It deletes what has this id: this tab no longer asks for it, whoever tells first that it is gone. */
export const callDeletion = async <Input, Reply, Result>(
  endpoint: Endpoint<Input, Reply, Result>,
  change: Change<Input>,
  id: string,
): Promise<Reply> => {
  deletedHere.add(id)
  try {
    return (await call(endpoint, change, { ifMatch: change.ifMatch })).body
  } catch (error) {
    deletedHere.delete(id)
    throw error
  }
}

/** A component sends this when it changes something. */
export type Change<Input> = Input & { readonly ifMatch?: string | null | undefined }

interface ChangeOptions<Input, Reply> {
  /** These are read again after success. The event stream would report the change too, a moment later. */
  readonly invalidates?: readonly Endpoint[]
  /** What the `id` names is gone afterwards, and its page is left. */
  readonly isDeletion?: boolean
  /** What has this id is gone afterwards, where the change itself names none. */
  readonly deletedId?: string | undefined
  readonly onDone?: (reply: Reply, input: Change<Input>) => void | Promise<void>
  /** Where nothing shows the `error` of the change, it is to be said. */
  readonly onError?: (error: Error) => void
}

/** One change through the API. Its errors are for whoever shows the form: `problem` of the mutation. */
export const useChange = <Input, Reply, Result>(
  endpoint: Endpoint<Input, Reply, Result>,
  {
    invalidates = [],
    isDeletion = false,
    deletedId,
    onDone,
    ...rest
  }: ChangeOptions<NoInfer<Input>, NoInfer<Reply>> = {},
) =>
  useMutation({
    ...rest,
    mutationKey: [nameOf(endpoint as Endpoint)],
    mutationFn: async (change: Change<Input>): Promise<Reply> => {
      const goneId = isDeletion ? targetOf([endpoint.path, change]).id : deletedId
      if (goneId !== undefined) return callDeletion(endpoint, change, goneId)
      return (await call(endpoint, change, { ifMatch: change.ifMatch })).body
    },
    onSuccess: async (reply: Reply, change) => {
      if (invalidates.length > 0) await invalidate(...invalidates)
      await onDone?.(reply, change)
    },
  })
