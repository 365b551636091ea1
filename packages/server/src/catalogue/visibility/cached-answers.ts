import type { Database } from '../../database/database.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import type { Viewer } from './viewer.ts'

interface CachedAnswer<Answer> extends Pick<Viewer, 'rule' | 'deletedLibraries' | 'seesPaths' | 'hidesReading'> {
  readonly answer: Answer
  readonly mark: string
}

/** Answers to whoever asks the same thing again: `key` is all that the answer depends on but the viewer and the database. */
export type CachedAnswers<Answer> = (
  viewer: Viewer,
  key: string,
  ask: () => Promise<Answer>,
) => Answer | Promise<Answer>

/**
 * What was answered holds for the same viewer, with the same rights, until anything is committed that they may be shown
 * (decision 063).
 */
export const cachedAnswers = <Answer>(
  { changeMark, replica }: Pick<Database, 'changeMark' | 'replica'>,
  max: number,
  mayKeep: (answer: Answer) => boolean = () => true,
): CachedAnswers<Answer> => {
  const answers = new BoundedMap<CachedAnswer<Answer>>(max)

  const answerTo = (
    mark: string,
    viewer: Viewer,
    { key, ask }: { key: string; ask: () => Promise<Answer> },
  ): Answer | Promise<Answer> => {
    const { userId, rule, deletedLibraries, seesPaths, hidesReading = false } = viewer
    const name = `${userId} ${key}`
    const cached = answers.get(name)
    const isSame = cached?.mark === mark && cached.rule === rule && cached.deletedLibraries === deletedLibraries
    if (isSame && cached.seesPaths === seesPaths && cached.hidesReading === hidesReading) return cached.answer
    const pending = replica ? replica.readAsOf({ reader: userId, mark }, ask) : ask()
    return pending.then((answer) => {
      if (mayKeep(answer)) answers.set(name, { answer, mark, rule, deletedLibraries, seesPaths, hidesReading })
      return answer
    })
  }

  return (viewer, key, ask) => {
    // Before anything is read: what is committed meanwhile makes the answer old at once.
    const mark = changeMark(viewer.userId)
    if (mark instanceof Promise) return mark.then((mark) => answerTo(mark, viewer, { key, ask }))
    return answerTo(mark, viewer, { key, ask })
  }
}
