import type { Envelope } from '@carrel/api'
import type { Paging } from '../../platform/paging.ts'

interface Page {
  readonly total: number
  readonly totalIsLowerBound?: true
}

/** The envelope of a list. Links keep every other parameter, in its order. */
export const envelope = <Item>(
  address: string,
  basePath: string,
  paging: Paging,
  { data, ...counted }: Page & { readonly data: readonly Item[] },
): Envelope<Item> => {
  const { page, pageSize } = paging
  const totalPages = Math.ceil(counted.total / pageSize)
  const last = Math.max(1, totalPages)
  const { pathname, searchParams } = new URL(address, 'http://carrel')
  const link = (page: number | bigint): string => {
    const parameters = new URLSearchParams(searchParams)
    parameters.set('page', String(page))
    parameters.set('pageSize', String(pageSize))
    return `${basePath}${pathname}?${parameters.toString()}`
  }
  return {
    data,
    page,
    pageSize,
    total: counted.total,
    totalPages,
    ...(counted.totalIsLowerBound && { totalIsLowerBound: true }),
    links: {
      // A page number may have more digits than a number holds.
      self: link(BigInt(searchParams.get('page') ?? page)),
      first: link(1),
      prev: page > 1 ? link(Math.min(page - 1, last)) : null,
      next: page < last ? link(page + 1) : null,
      last: link(last),
    },
  }
}

/** The same links as an RFC 8288 header. */
export const linkHeader = ({ first, prev, next, last }: Envelope<unknown>['links']): string =>
  Object.entries({ first, prev, next, last })
    .filter(([, target]) => target !== null)
    .map(([relation, target]) => `<${target}>; rel="${relation}"`)
    .join(', ')
