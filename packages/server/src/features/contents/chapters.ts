import { type Chapters, chaptersMax, type TocEntry } from '@carrel/api'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ContentsReading } from './contents.ts'

/** Nobody looks deeper from outside of the book. */
const levels = 2

interface Begun {
  readonly title: string
  readonly depth: number
  /** The first of the positions in it, counted from 0. */
  readonly start: number
}

/** The outline of a book, measured by its positions. */
export const readChapters = async (
  reading: Pick<ContentsReading, 'manifest' | 'positions'>,
  viewer: Viewer,
  bookId: string,
): Promise<Chapters> => {
  const { toc } = await reading.manifest(viewer, bookId)
  const { total, positions } = await reading.positions(viewer, bookId)
  const startOf = new Map(positions.map(({ href }, index) => [href, index] as const).toReversed())
  const isPaged = positions[0]?.href.startsWith('pages/') === true
  const begun = flatten(toc, 0)
    .flatMap(({ title, href, depth }): Begun[] => {
      const start = startOf.get(href.replace(/#.*$/s, ''))
      return start === undefined ? [] : [{ title, depth, start }]
    })
    .slice(0, chaptersMax)
  return {
    total,
    chapters: begun.map(({ title, depth, start }, index) => ({
      title,
      depth,
      at: total === 0 ? 0 : start / total,
      page: isPaged ? start + 1 : null,
      length: Math.max(0, (begun[index + 1]?.start ?? total) - start),
    })),
  }
}

const flatten = (entries: readonly TocEntry[], depth: number): { title: string; href: string; depth: number }[] =>
  entries.flatMap(({ title, href, children = [] }) => [
    ...(href === undefined ? [] : [{ title, href, depth }]),
    // What leads nowhere is a heading of others, and not shown.
    ...(href === undefined ? flatten(children, depth) : depth + 1 < levels ? flatten(children, depth + 1) : []),
  ])
