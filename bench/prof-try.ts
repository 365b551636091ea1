import { readFileSync, readdirSync } from 'node:fs'
import { scannedLibrary } from './books/scanned-library.ts'
import { scanOnce } from './books/scan.ts'
import { sqliteBench } from './databases/sqlite.ts'
import { descendantsOf, cpuUsOf } from './process-figures.ts'
const threads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`)
    .map((t) => {
      const s = readFileSync(`/proc/${pid}/task/${t}/stat`, 'utf8')
      const f = s.slice(s.lastIndexOf(')') + 2).split(' ')
      return `${readFileSync(`/proc/${pid}/task/${t}/comm`, 'utf8').trim()}:${(Number(f[11]) + Number(f[12])) * 10}`
    })
    .filter((x) => !/:[0-9]{1,2}$|:0$/.test(x))
    .join(' ')
await using s = await scannedLibrary(sqliteBench, process.argv[2] as 'M')
console.log(s.first.listedMs, s.first.readMs, JSON.stringify(s.first))
for (const pid of [s.server.pid, ...descendantsOf(s.server.pid)]) {
  const cmd = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(-4).join(' ')
  console.log(pid, cmd.slice(-60), cpuUsOf(pid) / 1000, 'ms', threads(pid))
}
for (let i = 1; i < Number(process.argv[3] ?? 1); i++) {
  const r = await scanOnce(s.call, s.content, s.id)
  console.log('rescan', r.listedMs)
}
