/**
 * It says which part of a list is asked for. `offset` may be beyond every total; compare before asking the database.
 */
export interface Paging {
  readonly page: number
  readonly pageSize: number
  readonly limit: number
  readonly offset: number
}

export const pagingOf = (page: number, pageSize: number): Paging => ({
  page,
  pageSize,
  limit: pageSize,
  offset: (page - 1) * pageSize,
})

export interface Order<Field extends string> {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
}

/** The text of a `sort` parameter. */
export type Sort<Field extends string> = `${Field},${'asc' | 'desc'}`

/** The contract has checked the `sort` parameter. */
export const orderOf = <Field extends string>(sort: Sort<Field> | undefined, fallback: Field): Order<Field> => {
  if (sort === undefined) return { field: fallback, direction: 'asc' }
  const [field, direction] = sort.split(',') as [Field, 'asc' | 'desc']
  return { field, direction }
}
