import type { Envelope } from '@carrel/api'
import type { Answer } from '../../api/call.ts'

interface Paging {
  readonly page: number
  readonly pageSize: number
}

/** A collection or read list takes at most this many at once. */
const atMost = 10_000

/** The ids of all members, in order, are needed to create the list again. */
export const everyId = async (
  read: (paging: Paging) => Promise<Answer<Envelope<{ readonly id: string }>>>,
): Promise<string[]> => {
  const ids: string[] = []
  for (let page = 1; ids.length < atMost; page += 1) {
    const { body } = await read({ page, pageSize: 500 })
    ids.push(...body.data.map(({ id }) => id))
    if (page >= body.totalPages) break
  }
  return ids
}
