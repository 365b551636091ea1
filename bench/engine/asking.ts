import type { ChildProcess } from 'node:child_process'

/** A child process has these functions, called by name. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>

export type Ask<Handled extends Answers> = <Name extends keyof Handled & string>(
  name: Name,
  input: Parameters<Handled[Name]>[0],
) => Promise<Awaited<ReturnType<Handled[Name]>>>

interface Question {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

type Answer = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly failure: string }

/** The child's end. */
export const answerParent = (answers: Answers): void => {
  process.on('message', (question: Question) => {
    void answerOf(answers, question).then((answer) => process.send?.(answer))
  })
  process.once('disconnect', () => process.exit())
}

const answerOf = async (answers: Answers, { id, name, input }: Question): Promise<Answer> => {
  try {
    // The other end is compiled against the same type.
    return { id, result: await answers[name]?.(input as never) }
  } catch (error) {
    return { id, failure: error instanceof Error ? String(error.stack) : String(error) }
  }
}

/** The parent's end. */
export const askChild = <Known extends Answers>(child: ChildProcess): Ask<Known> => {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  child.on('message', (answer: Answer) => {
    const reply = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('failure' in answer) reply?.reject(new Error(answer.failure))
    else reply?.resolve(answer.result)
  })
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`A process of the bench ended (${signal ?? code})`))
    waiting.clear()
  })
  return async (name, input) => {
    lastId += 1
    const reply = Promise.withResolvers<unknown>()
    waiting.set(lastId, reply)
    child.send({ id: lastId, name, input } satisfies Question)
    // The child answers by the same type.
    return reply.promise as never
  }
}
