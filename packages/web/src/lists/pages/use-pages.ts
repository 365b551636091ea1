import type { Endpoint, Envelope } from '@carrel/api'
import { type QueryFunction, type QueryKey, useQueries } from '@tanstack/react-query'
import type { Answer } from '../../api/call.ts'
import { query } from '../../api/queries.ts'

/** One page of a list. */
export interface PageQuery<Item> {
  readonly queryKey: QueryKey
  readonly queryFn: QueryFunction<Answer<Envelope<Item>>>
}

/** `query` of a list, in the one form that all lists share. */
export const pageQuery = <Input, Item, Result>(
  endpoint: Endpoint<Input, Envelope<Item>, Result>,
  input: NoInfer<Input>,
): PageQuery<Item> => query(endpoint, input) as unknown as PageQuery<Item>

export interface ListSource<Item> {
  readonly page: (number: number) => PageQuery<Item>
  /** Says which list it is: another filter, another list. */
  readonly key: string
}

/** Small enough to be here soon, large enough for a screen of small covers. */
export const pageSize = 60

interface PageRange {
  readonly first: number
  readonly last: number
  /** The user is scrolling fast: nothing new is requested. */
  readonly isPassing: boolean
}

export interface Pages<Item> {
  readonly isSettled: boolean
  readonly error: Error | null
  readonly itemAt: (index: number) => Item | undefined
  readonly indexOf: (id: string) => number | undefined
  readonly retry: () => void
}

/** The pages of a list that are in view. Requests for those that leave it before they have loaded are cancelled. */
export const usePages = <Item extends { readonly id: string }>(
  source: ListSource<Item>,
  { first, last, isPassing }: PageRange,
): Pages<Item> => {
  const firstPage = Math.floor(Math.max(0, first) / pageSize) + 1
  const lastPage = Math.max(firstPage, Math.floor(Math.max(0, last) / pageSize) + 1)
  const numbers = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index)
  const results = useQueries({
    queries: numbers.map((number) => ({ ...source.page(number), enabled: !isPassing })),
  })
  const bodies = results.map(({ data }) => data?.body)

  const itemAt = (index: number): Item | undefined => {
    const number = Math.floor(index / pageSize) + 1
    return bodies[number - firstPage]?.data[index - (number - 1) * pageSize]
  }
  const indexOf = (id: string): number | undefined => {
    for (const [each, body] of bodies.entries()) {
      const index = body?.data.findIndex((item) => item.id === id) ?? -1
      if (index >= 0) return (firstPage + each - 1) * pageSize + index
    }
    return undefined
  }
  return {
    isSettled: results.every(({ isFetching }) => !isFetching) && !isPassing,
    error: results.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    itemAt,
    indexOf,
    retry: () => void Promise.all(results.filter(({ isError }) => isError).map(({ refetch }) => refetch())),
  }
}
