import { readFileSync, readdirSync } from 'node:fs'
import { openContent } from './books/content.ts'
import { addLibrary, scanOnce, requireCounts } from './books/scan.ts'
import { sqliteBench } from './databases/sqlite.ts'
import { generatedLibrary } from './gen/library.ts'
import { callerAt, makeInstallation } from './installation.ts'
import { descendantsOf, cpuUsOf } from './process-figures.ts'
const name = process.argv[2] as 'M'
const library = await generatedLibrary(name)
await using installation = await makeInstallation(await sqliteBench.freshEnvironment())
await using server = await installation.start(
  process.env.PROF ? { NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof2' } : {},
)
await using content = await openContent(installation)
const id = await addLibrary(callerAt(server.port, installation.token), library.root)
const threads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`)
    .map((t) => {
      const s = readFileSync(`/proc/${pid}/task/${t}/stat`, 'utf8')
      const f = s.slice(s.lastIndexOf(')') + 2).split(' ')
      return `${readFileSync(`/proc/${pid}/task/${t}/comm`, 'utf8').trim()}:${(Number(f[11]) + Number(f[12])) * 10}`
    })
    .filter((x) => !/:[0-9]{1,2}$|:0$/.test(x))
    .join(' ')
import { watchMemory } from './books/watch-memory.ts'
using mem = watchMemory(server.pid)
for (let i = 0; i < Number(process.argv[3] ?? 1); i++) {
  const s = await scanOnce(callerAt(server.port, installation.token), content, id)
  if (i === 0) await requireCounts(content, id, library.counts)
  console.log('peak MB', mem.peakBytes() / 1e6, s.listedMs, s.readMs, 'books', library.counts.books)
  for (const pid of [server.pid, ...descendantsOf(server.pid)]) {
    const cmd = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(-4).join(' ')
    console.log(pid, cmd.slice(-60), cpuUsOf(pid) / 1000, 'ms', threads(pid))
  }
}
