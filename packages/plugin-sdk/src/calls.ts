import { PluginError, fromRpcError } from './plugin-error.ts'
import { type Message, type Method, type RequestId, limits, misfitOf, requestLine } from './protocol/index.ts'

/** One side calls the other with it. */
export interface CallHost {
  <Params, Result>(method: Method<Params, Result>, params?: Params): Promise<Result>
}

export interface Calls {
  /** Calls of this one are marked as made in the course of that one. */
  readonly inCourseOf: (parent: RequestId | undefined) => CallHost
  readonly settle: (message: Message & { kind: 'result' | 'error' }) => void
  readonly isOpen: (id: RequestId | undefined) => boolean
  readonly giveUp: (why: string) => void
}

interface Open {
  readonly settle: (message: Message & { kind: 'result' | 'error' }) => void
  readonly fail: (error: PluginError) => void
}

/** Calls go to the other side: a few at a time, each with an end. */
export const openCalls = (
  write: (line: string) => void,
  other: 'host' | 'plugin',
  waitMs: number = limits.answerMs,
): Calls => {
  const open = new Map<RequestId, Open>()
  let last = 0
  const call = <Params, Result>(
    { name, result }: Method<Params, Result>,
    params: Params | undefined,
    parentRequestId: RequestId | undefined,
  ): Promise<Result> => {
    if (open.size >= limits.openCalls) {
      return Promise.reject(
        new PluginError('internal_error', `${name}: ${open.size} calls to the ${other} are open already.`),
      )
    }
    last += 1
    const id = last
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const timer = setTimeout(() => {
      settled().fail(new PluginError('internal_error', `${name}: the ${other} did not answer within ${waitMs} ms.`))
    }, waitMs)
    const settled = (): Open => {
      clearTimeout(timer)
      open.delete(id)
      return entry
    }
    const entry: Open = {
      settle: (message) => {
        settled()
        if (message.kind === 'error') return reject(fromRpcError(message.error))
        const misfit = misfitOf(result, message.result)
        if (misfit !== undefined) return reject(new PluginError('internal_error', `${name}: the answer ${misfit}.`))
        return resolve(message.result as Result)
      },
      fail: (error) => {
        settled()
        reject(error)
      },
    }
    open.set(id, entry)
    write(requestLine({ id, method: name, params, parentRequestId }))
    return promise
  }
  return {
    inCourseOf: (parent) => (method, params) => call(method, params, parent),
    // An answer nobody waits for came too late, or twice: it is ignored.
    settle: (message) => (message.id === undefined ? undefined : open.get(message.id)?.settle(message)),
    isOpen: (id) => id !== undefined && open.has(id),
    giveUp: (why) => {
      for (const { fail } of open.values()) fail(new PluginError('internal_error', why))
    },
  }
}
