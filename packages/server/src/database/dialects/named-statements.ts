import type { ClientBase, Pool } from 'pg'
import { sha256 } from '../../platform/secrets/tokens.ts'

/**
 * A statement that was sent more often than this gets a name: the database parses and plans it once per connection,
 * and decides by itself when that pays.
 */
const timesBeforeNaming = 4
const limits = { named: 100, watched: 2000, chars: 50_000 }

/**
 * It gives names to what is sent again and again: planning what finds a few rows by their ids takes longer than
 * running it.
 */
export const nameStatements = (pool: Pool): void => {
  const naming = openNaming()
  pool.on('connect', (client: ClientBase) => {
    const query = client.query.bind(client) as (...values: readonly unknown[]) => unknown
    const named = (...queryArguments: readonly unknown[]): unknown => {
      const [text, values, ...others] = queryArguments
      const name =
        typeof text === 'string' && Array.isArray(values) && values.length > 0 ? naming.nameFor(text) : undefined
      if (name === undefined) return query(...queryArguments)
      return resultOf(query({ name, text, values }, ...others), () => {
        naming.forget()
        return query(...queryArguments)
      })
    }
    client.query = named as typeof client.query
  })
}

/**
 * A newer node beside this one has added columns: what is prepared for `select *` would answer other columns than were promised, and
 * PostgreSQL refuses it. Sent without a name it is planned anew. In a transaction that is over by then, and the whole of it is tried again.
 */
const resultOf = (answer: unknown, anew: () => unknown): unknown =>
  answer instanceof Promise
    ? answer.catch(async (error: unknown) => {
        if (!isOutdatedPlan(error)) throw error
        const again: unknown = await Promise.resolve(anew()).catch(() => undefined)
        if (again === undefined) throw error
        return again
      })
    : answer

export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.startsWith('cached plan')

interface Naming {
  readonly nameFor: (text: string) => string | undefined
  /** Every name so far may be that of an outdated plan, on any connection: from now on there are others. */
  readonly forget: () => void
}

const openNaming = (): Naming => {
  let generation = 0
  const names = new Map<string, string>()
  const timesSeen = new Map<string, number>()
  const nameFor = (text: string): string | undefined => {
    const cached = names.get(text)
    if (cached !== undefined || names.size >= limits.named || text.length > limits.chars) return cached
    const times = timesSeen.get(text) ?? 0
    if (times < timesBeforeNaming) {
      if (timesSeen.size >= limits.watched) timesSeen.clear()
      timesSeen.set(text, times + 1)
      return undefined
    }
    timesSeen.delete(text)
    // The same in each process: who reads the database's own lists finds it there.
    const name = `carrel_${sha256(text).slice(0, 16)}${generation === 0 ? '' : `_${generation}`}`
    names.set(text, name)
    return name
  }
  return {
    nameFor,
    forget: () => {
      generation += 1
      names.clear()
    },
  }
}
