import type { Kind } from '../kinds.ts'
import { orders } from './list-search.ts'

const all = (kind: Kind): Readonly<Record<string, { readonly field: string } | undefined>> => orders[kind]

/** The server writes a sort like this: `date_added,desc`. */
export const sortWord = (kind: Kind, { order, isDown }: { readonly order: string; readonly isDown: boolean }): string =>
  `${all(kind)[order]?.field ?? 'name'},${isDown ? 'desc' : 'asc'}`

/** The address writes a sort like this: `-added`. The result is undefined when lists have no such order. */
export const wordOfSort = (kind: Kind, sort: string | null): string | undefined => {
  const [field = '', direction] = (sort ?? '').split(',')
  const order = Object.keys(orders[kind]).find((each) => all(kind)[each]?.field === field)
  return order === undefined ? undefined : `${direction === 'desc' ? '-' : ''}${order}`
}
