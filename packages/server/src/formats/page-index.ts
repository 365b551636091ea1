import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Page } from './book-format.ts'

/** Columns instead of rows: alike values next to each other pack to a few bytes a page. */
interface Columns {
  readonly names: string[]
  readonly types: string[]
  readonly widths: (number | null)[]
  readonly heights: (number | null)[]
  readonly sizes: number[]
  /** Null where a page has no location. */
  readonly places: ([offset: number, storedSize: number, method: 0 | 1, crc32: number] | null)[]
}

/** The packed text is short: the memory for longer texts would cost more than the packing. */
const packing = { level: 1, memLevel: 3, windowBits: 11, chunkSize: 2048 }

const unpackedMax = 64 * 1024 * 1024

/** It packs all pages of a book into one value of the database: what a page is, and where its bytes stand. */
export const packPages = (pages: readonly Page[]): Buffer => {
  const columns: Columns = {
    names: pages.map(({ name }) => name),
    types: pages.map(({ mediaType }) => mediaType),
    widths: pages.map(({ width }) => width),
    heights: pages.map(({ height }) => height),
    sizes: pages.map(({ size }) => size),
    places: pages.map(({ location }) =>
      location ? [location.offset, location.storedSize, location.method === 'stored' ? 0 : 1, location.crc32] : null,
    ),
  }
  return deflateRawSync(JSON.stringify(columns), packing)
}

export const unpackPages = (packed: Uint8Array): Page[] => {
  const text = inflateRawSync(packed, { maxOutputLength: unpackedMax, chunkSize: 4096 }).toString()
  const { names, types, widths, heights, sizes, places } = JSON.parse(text) as Columns
  return names.map((name, index) => {
    const location = places[index]
    return {
      name,
      mediaType: types[index] ?? 'application/octet-stream',
      width: widths[index] ?? null,
      height: heights[index] ?? null,
      size: sizes[index] ?? 0,
      ...(location && {
        location: {
          offset: location[0],
          storedSize: location[1],
          method: location[2] === 0 ? ('stored' as const) : ('deflated' as const),
          crc32: location[3],
        },
      }),
    }
  })
}
