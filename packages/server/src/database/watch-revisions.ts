import type { Revisions } from './table.ts'

export interface RevisionWatch {
  /** It returns on the spot while nothing can have changed that this process must know of already. */
  read(): Revisions | Promise<Revisions>
  /** This process has changed something: the next to ask looks. */
  forget(): void
}

interface WatchOptions {
  readonly select: () => Promise<Revisions>
  /** A change made by another process may stay unseen for this long. */
  readonly staleMs: number
  /** A cheaper question than `select`, where there is one. */
  readonly mayHaveChanged?: () => boolean
}

export const watchRevisions = ({ select, staleMs, mayHaveChanged = () => true }: WatchOptions): RevisionWatch => {
  let lastRevisions: Revisions | undefined
  let readAt = 0
  let reading: Promise<Revisions> | undefined
  let generation = 0

  const readAnew = async (): Promise<Revisions> => {
    const startedIn = generation
    const startedAt = performance.now()
    try {
      const revisions = await select()
      // A value read before this process changed something again is out of date.
      if (startedIn === generation) {
        lastRevisions = revisions
        readAt = startedAt
      }
      return revisions
    } catch (error) {
      // A failed read is not cached: `mayHaveChanged` may not be called a second time.
      if (startedIn === generation) lastRevisions = undefined
      throw error
    } finally {
      if (startedIn === generation) reading = undefined
    }
  }

  return {
    read: () => {
      if (lastRevisions && performance.now() - readAt < staleMs) return lastRevisions
      if (lastRevisions && !reading && !mayHaveChanged()) {
        readAt = performance.now()
        return lastRevisions
      }
      reading ??= readAnew()
      return reading
    },
    forget: () => {
      generation += 1
      lastRevisions = undefined
      reading = undefined
    },
  }
}
