import { parseBookName } from '../../packages/server/src/naming/book-name.ts'
import { advise } from '../../packages/server/src/naming/grouping/advice/advise.ts'
import { policyOf } from '../../packages/server/src/naming/grouping/grouping.ts'
import type { Bench, Figure } from '../figure.ts'
import { planLibrary } from '../gen/plan.ts'
import { profiles } from '../gen/profiles.ts'
import { groupings } from '../groupings.ts'

const rounds = 3
/** The limit compares with reading the name of each book once, which is what a scan cannot do without. */
const gate = { max: 1 }
/** What it takes to say which grouping fits 100,000 paths, and to group them by each. */
export const advice: Bench = {
  names: ['advice'],
  run: async () => {
    const paths = [...planLibrary(profiles.L)].flatMap(({ books }) => books.map(({ path }) => path))
    const names = paths.map((path) => path.split('/'))
    const inRoot = paths.map((path) => ({ rootName: 'library', path }))
    const made = Array.from({ length: rounds }, () => ({
      reading: cpuMsOf(() => names.forEach((each) => parseBookName(each.at(-1) ?? '', { folder: each.at(-2) }))),
      advising: cpuMsOf(() => advise(inRoot)),
    }))
    const figures: Figure[] = [
      { name: 'advice to 100,000 paths', unit: 'ms CPU', values: made.map(({ advising }) => advising) },
      {
        name: 'advice against reading all names',
        unit: '×',
        values: made.map(({ reading, advising }) => advising / reading),
        gate,
      },
    ]
    for (const grouping of groupings) {
      const policy = policyOf(grouping)
      const values = Array.from({ length: rounds }, () => cpuMsOf(() => paths.forEach((path) => policy.seriesOf(path))))
      figures.push({ name: `advice: grouping by ${grouping.policy}`, unit: 'ms CPU', values })
    }
    return figures
  },
}

const cpuMsOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
