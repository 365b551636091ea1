import { Readable } from 'node:stream'
import type { ReadDb } from '../../database/database.ts'
import { selectPreferencesAfter, type StoredPreference } from './queries.ts'

/** They are read together: 3 MiB at most, and all that most people have. */
const atOnce = 50
/** What is larger is sent while it is read, as it is stored: all preferences of one reader may be 64 MiB. */
const wholeLengthMax = 1024 * 1024

export const readPreferences = async (
  db: ReadDb,
  userId: string,
): Promise<Readable | { preferences: Record<string, unknown> }> => {
  const parts = partsOf(db, userId)
  const first: StoredPreference[] = []
  let length = 0
  for (;;) {
    const part = await parts.next()
    if (part.done) return { preferences: Object.fromEntries(first.map(({ key, value }) => [key, parsed(value)])) }
    first.push(...part.value)
    length += part.value.reduce((sum, { value }) => sum + value.length, 0)
    if (length > wholeLengthMax) return Readable.from(textOf(first, parts), { objectMode: false })
  }
}

const parsed = (value: string): unknown => JSON.parse(value)

async function* partsOf(db: ReadDb, userId: string): AsyncGenerator<readonly StoredPreference[]> {
  for (let after = ''; ;) {
    const part = await selectPreferencesAfter(db, userId, after, atOnce)
    if (part.length > 0) yield part
    const last = part.at(-1)
    if (!last || part.length < atOnce) return
    after = last.key
  }
}

async function* textOf(
  first: readonly StoredPreference[],
  others: AsyncIterable<readonly StoredPreference[]>,
): AsyncGenerator<Buffer> {
  const linesOf = (part: readonly StoredPreference[]): string =>
    part.map(({ key, value }) => `${JSON.stringify(key)}:${value}`).join(',')
  yield Buffer.from(`{"preferences":{${linesOf(first)}`)
  for await (const part of others) yield Buffer.from(`,${linesOf(part)}`)
  yield Buffer.from('}}')
}
