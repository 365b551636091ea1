import { Readable } from 'node:stream'
import type { CompatPage } from '@carrel/api/doors'
import { pageEnvelope, type CompatPageQuery } from '../page.ts'

/** A list that has been counted, and how parts of it are shown. */
export interface Shown<Item> {
  readonly total: number
  readonly items: (part: { readonly offset: number; readonly limit: number }) => Promise<Item[]>
  readonly isSorted: boolean
}

/** This many are read and shown at a time, however many are asked for on a page. */
const sliceMax = 500

/** A page is either small enough to be answered at once, or written as it is read. */
export type PageAnswer<Item> = CompatPage<Item> | Readable

const offsetOf = ({ page, size, unpaged }: CompatPageQuery): number => (unpaged ? 0 : page * size)

export const answerPage = async <Item>(list: Shown<Item>, query: CompatPageQuery): Promise<PageAnswer<Item>> => {
  const offset = offsetOf(query)
  const count = Math.max(0, Math.min(query.unpaged ? list.total : query.size, list.total - offset))
  if (count <= sliceMax) {
    const content = count === 0 ? [] : await list.items({ offset, limit: count })
    return pageEnvelope(content, list.total, query, list.isSorted)
  }
  return Readable.from(written(list, query, { offset, limit: count }), { objectMode: false, highWaterMark: 0 })
}

/** The list is written in parts: nobody holds more than one of them in memory, and the end states the count. */
async function* written<Item>(
  list: Shown<Item>,
  query: CompatPageQuery,
  { offset, limit }: { offset: number; limit: number },
): AsyncGenerator<Buffer> {
  let count = 0
  for (let done = 0; done < limit; done += sliceMax) {
    const items = await list.items({ offset: offset + done, limit: Math.min(sliceMax, limit - done) })
    const text = items.map((item) => JSON.stringify(item)).join(',')
    const separator = done === 0 ? '{"content":[' : text === '' ? '' : ','
    count += items.length
    yield Buffer.from(separator + text)
  }
  const { content: _, ...rest } = pageEnvelope<Item>([], list.total, query, list.isSorted)
  const figures = { ...rest, empty: count === 0, numberOfElements: count }
  yield Buffer.from(`],${JSON.stringify(figures).slice(1)}`)
}
