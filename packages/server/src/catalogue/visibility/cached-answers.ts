import { everybodysIn } from '../../database/change-marks.ts'
import type { Database } from '../../database/database.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import type { Viewer, ViewRule } from './viewer.ts'

interface CachedAnswer<Answer> {
  readonly answer: Answer
  readonly mark: string
}

/** Answers to whoever asks the same thing again: `key` is all that the answer depends on but the viewer and the database. */
export type CachedAnswers<Answer> = (
  viewer: Viewer,
  key: string,
  ask: () => Promise<Answer>,
) => Answer | Promise<Answer>

/** For whom an answer holds, and until which of their marks changes. */
interface Holding {
  readonly nameOf: (viewer: Viewer) => string
  readonly markIn: (mark: string) => string
}

const holding =
  ({ nameOf, markIn }: Holding) =>
  <Answer>(
    { changeMark, replica }: Pick<Database, 'changeMark' | 'replica'>,
    max: number,
    mayKeep: (answer: Answer) => boolean = () => true,
  ): CachedAnswers<Answer> => {
    const answers = new BoundedMap<CachedAnswer<Answer>>(max)

    const answerTo = (
      whole: string,
      viewer: Viewer,
      { key, ask }: { key: string; ask: () => Promise<Answer> },
    ): Answer | Promise<Answer> => {
      const name = `${nameOf(viewer)} ${key}`
      const mark = markIn(whole)
      const cached = answers.get(name)
      if (cached?.mark === mark) return cached.answer
      const pending = replica ? replica.readAsOf({ reader: viewer.userId, mark: whole }, ask) : ask()
      return pending.then((answer) => {
        if (mayKeep(answer)) answers.set(name, { answer, mark })
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

const ruleTexts = new WeakMap<ViewRule, string>()

const textOf = (rule: ViewRule): string => {
  const text = ruleTexts.get(rule) ?? JSON.stringify(rule)
  ruleTexts.set(rule, text)
  return text
}

const rightsOf = ({ rule, deletedLibraries, seesPaths }: Viewer): string =>
  `${textOf(rule)} ${deletedLibraries.join()} ${seesPaths}`

/**
 * What was answered holds for the same viewer, with the same rights, until anything is committed that they may be shown
 * (decision 063).
 */
export const cachedAnswers = holding({
  nameOf: (viewer) => `${viewer.userId} ${viewer.hidesReading ?? false} ${rightsOf(viewer)}`,
  markIn: (mark) => mark,
})

/**
 * What shows nothing of any reader holds for all who have the same rights, whatever readers do, until anything is committed
 * that concerns everybody (decision 089).
 */
export const sharedAnswers = holding({ nameOf: rightsOf, markIn: everybodysIn })
