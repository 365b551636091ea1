import type { Database } from '../../database/database.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import type { Viewer } from './viewer.ts'

interface CachedAnswer<Answer> extends Pick<Viewer, 'rule' | 'deletedLibraries' | 'seesPaths' | 'hidesReading'> {
  readonly answer: Answer
}

/** Answers to whoever asks the same thing again: `key` is all that the answer depends on but the viewer and the database. */
export type CachedAnswers<Answer> = (
  viewer: Viewer,
  key: string,
  ask: () => Promise<Answer>,
) => Answer | Promise<Answer>

/**
 * What was answered holds for the same viewer, with the same rights, until anybody commits anything (decision 023); then
 * all of it is forgotten.
 */
export const cachedAnswers = <Answer>(
  db: Pick<Database, 'commitMark'>,
  max: number,
  mayKeep: (answer: Answer) => boolean = () => true,
): CachedAnswers<Answer> => {
  const answers = new BoundedMap<CachedAnswer<Answer>>(max)
  let marked: string | number | undefined

  const answerTo = (
    mark: string | number,
    viewer: Viewer,
    { key, ask }: { key: string; ask: () => Promise<Answer> },
  ): Answer | Promise<Answer> => {
    if (mark !== marked) answers.clear()
    marked = mark
    const { userId, rule, deletedLibraries, seesPaths, hidesReading = false } = viewer
    const name = `${userId} ${key}`
    const kept = answers.get(name)
    const isSame = kept?.rule === rule && kept.deletedLibraries === deletedLibraries
    if (isSame && kept.seesPaths === seesPaths && kept.hidesReading === hidesReading) return kept.answer
    return ask().then((answer) => {
      if (mark === marked && mayKeep(answer))
        answers.set(name, { answer, rule, deletedLibraries, seesPaths, hidesReading })
      return answer
    })
  }

  return (viewer, key, ask) => {
    // Before anything is read: what is committed meanwhile makes the answer old at once.
    const mark = db.commitMark()
    if (mark instanceof Promise) return mark.then((mark) => answerTo(mark, viewer, { key, ask }))
    return answerTo(mark, viewer, { key, ask })
  }
}
