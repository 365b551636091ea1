import type { Envelope } from '@carrel/api'
import type { Answer } from '../api/call.ts'

interface Paging {
  readonly page: number
  readonly pageSize: number
}

/** As many as a collection or read list takes at once. */
const atMost = 10_000

/** The ids of all members, in order: what is needed to make the list anew. */
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
