import type { Position } from '../book-format.ts'

/** A chapter as the positions need it: how long it is, and not what is in it. */
export interface MeasuredChapter {
  readonly href: string
  readonly mediaType: string
  /** It is the size stored in the archive, packed or not. */
  readonly storedSize: number
  readonly isFixed: boolean
}

const bytesPerPosition = 1024

/**
 * Places in a book that mean the same on every device: one for each 1,024 bytes of a chapter as it is stored, at least
 * one a chapter, exactly one for a page of fixed layout. Stored bytes are what Readium's toolkits and Adobe before
 * them count, so that an app that counts for itself comes to the same; and they stand in the directory of the archive,
 * so that nothing is unpacked to know them.
 */
export const positionsOf = (chapters: readonly MeasuredChapter[]): Position[] => {
  const counts = chapters.map(({ storedSize, isFixed }) =>
    isFixed ? 1 : Math.max(1, Math.ceil(storedSize / bytesPerPosition)),
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  const positions: Position[] = []
  for (const [index, { href, mediaType }] of chapters.entries()) {
    const count = counts[index] ?? 1
    for (let step = 0; step < count; step += 1) {
      const before = positions.length
      positions.push({
        href,
        mediaType,
        position: before + 1,
        progression: step / count,
        totalProgression: before / total,
      })
    }
  }
  return positions
}
