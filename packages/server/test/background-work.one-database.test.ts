import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chosenSchedules, fixedSchedules } from '../src/triggers.ts'

const page = readFileSync(new URL('../../../docs/operators/background-work.md', import.meta.url), 'utf8')
/** What the table says of when each task runs. */
const documented = new Map(
  [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name = '', when = '']) => [name, when]),
)

/** As the table words it. */
const worded = (pattern: string): string => {
  const [minute = '', hour = ''] = pattern.split(' ')
  if (pattern === '*/10 * * * *') return 'every ten minutes'
  return hour === '*' ? `minute ${minute} of every hour` : `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}

test('TSK-1 the documentation says of everything that happens by itself when it does', () => {
  const settings = { get: (key: string) => `by ${key}` }
  const chosen = chosenSchedules({ settings } as unknown as Parameters<typeof chosenSchedules>[0])

  for (const { name, pattern } of fixedSchedules) {
    const when = documented.get(name)?.replace('five past every hour', 'minute 5 of every hour')
    expect([name, when?.split(', ')[0]]).toEqual([name, worded(pattern())])
  }
  for (const { name, pattern } of chosen)
    expect([name, documented.get(name)]).toEqual([name, expect.stringContaining(pattern().replace('by ', ''))])
  const here = [...fixedSchedules, ...chosen].map(({ name }) => name)
  // When these happen, libraries and their jobs say.
  expect([...documented.keys()].sort()).toEqual([...here, 'scan_library', 'refresh_matches'].sort())
})
