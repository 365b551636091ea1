import type { Grouping } from '../../packages/api/src/index.ts'
import { emptyFiles } from '../books/empty-files.ts'
import { addLibrary, listOnce } from '../books/scan.ts'
import type { BenchDatabase } from '../databases/database.ts'
import type { Bench, Figure } from '../figure.ts'
import { planLibrary } from '../gen/plan.ts'
import { profiles } from '../gen/profiles.ts'
import { groupings } from '../groupings.ts'
import { callerAt, makeInstallation } from '../installation.ts'
import { cpuUsOfAll } from '../process-figures.ts'

const rounds = 3
/** No way to group may make a first scan this much dearer than the simplest one. */
const gate = { max: 1.1 }

/** A hundred thousand files, listed for the first time by each way to group them. */
export const scanByGrouping: Bench = {
  names: ['scan.grouping'],
  isLong: true,
  run: async ({ database }) => {
    const paths = [...planLibrary(profiles.L)].flatMap(({ books }) => books.map(({ path }) => path))
    await using files = await emptyFiles(paths)
    const seconds = new Map<string, number[]>(groupings.map(({ policy }) => [policy, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const grouping of groupings)
        seconds.get(grouping.policy)?.push(await cpuSecondsToList(database, files.root, grouping))
    const [simplest = []] = seconds.values()
    return [...seconds].flatMap(([policy, values]): Figure[] => [
      { name: `scan.grouping ${policy}, until 100,000 files are listed`, unit: 's CPU', values },
      {
        name: `scan.grouping ${policy} against ${groupings[0]?.policy}`,
        unit: '×',
        values: values.map((value, round) => value / (simplest[round] ?? Number.NaN)),
        gate,
      },
    ])
  },
}

const cpuSecondsToList = async (database: BenchDatabase, root: string, grouping: Grouping): Promise<number> => {
  await using installation = await makeInstallation(await database.freshEnvironment())
  const server = await installation.start()
  try {
    const call = callerAt(server.port, installation.token)
    const id = await addLibrary(call, root, grouping)
    const before = cpuUsOfAll(server.pid)
    await listOnce(call, id)
    return (cpuUsOfAll(server.pid) - before) / 1_000_000
  } finally {
    // What it would make of a hundred thousand empty files is not asked here.
    await server.kill()
  }
}
