import { type BookDto, listBooksByCondition } from '@carrel/api'
import { call } from '../../api/call.ts'

/** The book of a series that somebody is in the middle of, else the first they have not read, else the first. */
export const findNextBook = async (seriesId: string): Promise<BookDto | undefined> => {
  const inSeries = { seriesId: { operator: 'is', value: seriesId } } as const
  const first = { page: 1, pageSize: 1 } as const
  const status = (value: 'in_progress' | 'unread') =>
    ({ allOf: [inSeries, { readStatus: { operator: 'is', value } }] }) as const
  const answers = await Promise.all([
    call(listBooksByCondition, {
      query: { ...first, sort: 'last_read,desc' },
      body: { condition: status('in_progress') },
    }),
    call(listBooksByCondition, { query: { ...first, sort: 'number,asc' }, body: { condition: status('unread') } }),
    call(listBooksByCondition, { query: { ...first, sort: 'number,asc' }, body: { condition: inSeries } }),
  ])
  return answers.map(({ body }) => body.data[0]).find((book) => book !== undefined)
}
