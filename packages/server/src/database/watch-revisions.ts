import type { Revisions } from './table.ts'

export interface RevisionWatch {
  /** Answers on the spot while nothing can have changed that this process must know of already. */
  read(): Revisions | Promise<Revisions>
  /** This process has changed something: the next to ask looks. */
  forget(): void
}

interface WatchOptions {
  readonly select: () => Promise<Revisions>
  /** How long what another process changed may stay unseen. */
  readonly staleMs: number
  /** A cheaper question than `select`, where there is one. */
  readonly mayHaveChanged?: () => boolean
}

export const watchRevisions = ({ select, staleMs, mayHaveChanged = () => true }: WatchOptions): RevisionWatch => {
  let known: Revisions | undefined
  let lookedAt = 0
  let looking: Promise<Revisions> | undefined
  let generation = 0

  const look = async (): Promise<Revisions> => {
    const startedIn = generation
    const startedAt = performance.now()
    try {
      const revisions = await select()
      // What was read before this process changed something again is not what it knows now.
      if (startedIn === generation) {
        known = revisions
        lookedAt = startedAt
      }
      return revisions
    } catch (error) {
      // Not kept: `mayHaveChanged` may not say it twice.
      if (startedIn === generation) known = undefined
      throw error
    } finally {
      if (startedIn === generation) looking = undefined
    }
  }

  return {
    read: () => {
      if (known && performance.now() - lookedAt < staleMs) return known
      if (known && !looking && !mayHaveChanged()) {
        lookedAt = performance.now()
        return known
      }
      looking ??= look()
      return looking
    },
    forget: () => {
      generation += 1
      known = undefined
      looking = undefined
    },
  }
}
