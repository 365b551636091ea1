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
  const nameFor = naming()
  pool.on('connect', (client: ClientBase) => {
    const query = client.query.bind(client) as (...values: readonly unknown[]) => unknown
    const named = (...queryArguments: readonly unknown[]): unknown => {
      const [text, values, ...others] = queryArguments
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameFor(text) : undefined
      return name === undefined ? query(...queryArguments) : query({ name, text, values }, ...others)
    }
    client.query = named as typeof client.query
  })
}

const naming = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>()
  const timesSeen = new Map<string, number>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= limits.named || text.length > limits.chars) return known
    const times = timesSeen.get(text) ?? 0
    if (times < timesBeforeNaming) {
      if (timesSeen.size >= limits.watched) timesSeen.clear()
      timesSeen.set(text, times + 1)
      return undefined
    }
    timesSeen.delete(text)
    // The same in each process: who reads the database's own lists finds it there.
    const name = `carrel_${sha256(text).slice(0, 16)}`
    names.set(text, name)
    return name
  }
}
