import { BookFault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import { slice } from './bytes.ts'
import type { Kf8Tables } from './header.ts'
import { readIndexTable } from './index-table.ts'
import type { PalmDatabase } from './palm-database.ts'

/** A chapter of KF8: the frame of a page, and fragments that are put into it one after another. */
export interface Skeleton {
  readonly name: string
  readonly start: number
  readonly length: number
  readonly fragments: readonly Fragment[]
  /** The size includes all its fragments. */
  readonly size: number
}

interface Fragment {
  /** The fragment goes to this position of the page, once those before it are there. */
  readonly position: number
  readonly start: number
  readonly length: number
}

export interface Skeletons {
  readonly chapters: readonly Skeleton[]
  /**
   * The index is the number of a fragment; it gives the chapter and the position in it at which the fragment begins.
   */
  readonly fragmentStarts: readonly { readonly chapter: Skeleton; readonly position: number }[]
}

const tags = { fragmentCount: 1, location: 6 }

export const readSkeletons = (database: PalmDatabase, first: number, tables: Kf8Tables): Skeletons => {
  if (tables.skeletons === undefined) throw new BookFault('damaged', 'The table of the chapters is missing')
  const frames = readIndexTable(database, first + tables.skeletons).entries
  if (frames.length > bookLimits.pages)
    throw new BookFault('limit', `The book has more than ${bookLimits.pages} chapters`)
  const fragments = tables.fragments === undefined ? [] : readIndexTable(database, first + tables.fragments).entries
  const chapters: Skeleton[] = []
  const fragmentStarts: { chapter: Skeleton; position: number }[] = []
  for (const [index, frame] of frames.entries()) {
    const [start = 0, length = 0] = frame.values(tags.location)
    const count = frame.values(tags.fragmentCount)[0] ?? 0
    const own = fragments.slice(fragmentStarts.length, fragmentStarts.length + count)
    if (own.length < count) throw new BookFault('damaged', 'A part of a chapter is missing')
    const chapter = skeletonOf(
      { start, length },
      own.map(({ name, values }) => ({ name, length: values(tags.location)[1] ?? 0 })),
      index,
    )
    chapters.push(chapter)
    for (const { position } of chapter.fragments) fragmentStarts.push({ chapter, position })
  }
  return { chapters, fragmentStarts }
}

const skeletonOf = (
  { start, length }: { start: number; length: number },
  written: readonly { readonly name: string; readonly length: number }[],
  index: number,
): Skeleton => {
  let next = start + length
  const fragments = written.map((fragment): Fragment => {
    const position = Number(fragment.name) - start
    if (!Number.isInteger(position) || position < 0)
      throw new BookFault('damaged', 'A part of a chapter has no place in it')
    const begins = next
    next += fragment.length
    return { position, start: begins, length: fragment.length }
  })
  const name = `part${String(index + 1).padStart(4, '0')}.xhtml`
  return { name, start, length, fragments, size: next - start }
}

/** No more than this is copied for a chapter whose fragments do not come in order. */
const copiedMax = 256 * 1024 * 1024

export const assemble = (text: Buffer, { start, length, fragments }: Skeleton): Buffer => {
  let done: Buffer[] = []
  let doneLength = 0
  let rest = slice(text, start, length)
  let copied = 0
  for (const fragment of fragments) {
    if (fragment.position < doneLength) {
      copied += doneLength + rest.length
      if (copied > copiedMax) throw new BookFault('limit', 'A chapter of the book is put together from too many parts')
      rest = Buffer.concat([...done, rest])
      done = []
      doneLength = 0
    }
    const step = fragment.position - doneLength
    done.push(slice(rest, 0, step), slice(text, fragment.start, fragment.length))
    doneLength = fragment.position + fragment.length
    rest = rest.subarray(step)
  }
  return Buffer.concat([...done, rest])
}
