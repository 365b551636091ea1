import type { CompatPage } from '@carrel/api/doors'

/** It says which page of a list is asked for. */
export interface CompatPageQuery {
  /** Pages are counted from 0. */
  readonly page: number
  readonly size: number
  readonly unpaged: boolean
}

type Parameter = string | readonly string[] | undefined

const sizeDefault = 20
const sizeMax = 2000
const pageMax = 2 ** 31 - 1

/** No page number and no size is refused: what cannot be one counts as not given. */
export const readPageQuery = (query: {
  readonly page?: Parameter
  readonly size?: Parameter
  readonly unpaged?: Parameter
}): CompatPageQuery => {
  const size = wholeNumber(query.size) ?? sizeDefault
  return {
    page: Math.min(wholeNumber(query.page) ?? 0, pageMax),
    size: size < 1 ? sizeDefault : Math.min(size, sizeMax),
    unpaged: firstOf(query.unpaged)?.trim().toLowerCase() === 'true',
  }
}

const firstOf = (given: Parameter): string | undefined => (typeof given === 'string' ? given : given?.[0])

const wholeNumber = (given: Parameter): number | undefined => {
  const text = firstOf(given)?.trim() ?? ''
  return /^\+?\d+$/.test(text) ? Number(text) : undefined
}

/** The page as Spring writes it. A list without pages is one page, and says that it is paged all the same. */
export const pageEnvelope = <Item>(
  content: Item[],
  total: number,
  { page, size, unpaged }: CompatPageQuery,
  isSorted = false,
): CompatPage<Item> => {
  const number = unpaged ? 0 : page
  const pageSize = unpaged ? Math.max(total, sizeDefault) : size
  const totalPages = Math.ceil(total / pageSize)
  const sort = { empty: !isSorted, sorted: isSorted, unsorted: !isSorted }
  return {
    content,
    pageable: { pageNumber: number, pageSize, offset: number * pageSize, paged: true, unpaged: false, sort },
    totalElements: total,
    totalPages,
    last: number + 1 >= totalPages,
    first: number === 0,
    empty: content.length === 0,
    number,
    size: pageSize,
    numberOfElements: content.length,
    sort,
  }
}
