// @ts-nocheck
// Scratch: CPU of requests each made once, with a change from outside before each.
import { join } from 'node:path'
import { seededLibrary } from './books/seeded-library.ts'
import { openConnection, requestBytes } from './connection.ts'
import { sqliteBench } from './databases/sqlite.ts'
import { loadSqlite } from './databases/server-drivers.ts'
import { readdirSync, readFileSync } from 'node:fs'
const threads = (pid) => Object.fromEntries(readdirSync(`/proc/${pid}/task`).map((t) => [readFileSync(`/proc/${pid}/task/${t}/comm`, 'utf8').trim() + (Number(t) === pid ? '!' : ''), 0]).map(([n]) => [n, 0]))
const perThread = (pid) => { const r = {}; for (const t of readdirSync(`/proc/${pid}/task`)) { const n = readFileSync(`/proc/${pid}/task/${t}/comm`, 'utf8').trim() + (Number(t) === pid ? '!main' : ''); r[n] = (r[n] ?? 0) + Number(readFileSync(`/proc/${pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]) / 1000 } return r }
import { exactCpuUsOf } from './process-figures.ts'
import type { SeedName } from './gen/profiles.ts'

const [size = '10k', only = '', rounds = '3'] = process.argv.slice(2)
await using seeded = await seededLibrary(sqliteBench, size as SeedName)
const { installation } = seeded
await using server = await installation.start(process.env.PROF ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=200 --cpu-prof-dir=${process.env.PROF}` } : {})
const Sqlite = loadSqlite()
const db = new Sqlite(join(installation.directory, 'carrel.db'))
db.pragma('busy_timeout = 5000')
const hasMarks = db.prepare("select count(*) as n from sqlite_master where name = 'change_mark'").get().n > 0
db.exec('create table if not exists bench_change (id integer primary key, value integer)')
let n = 0
const change = () => {
  n += 1
  if (hasMarks) db.prepare("insert into change_mark (reader, value) values ('', ?) on conflict (reader) do update set value = excluded.value").run(`bench ${n}`)
  else db.prepare('insert into bench_change (value) values (?)').run(n)
}
const genres = db.prepare("select key, (select count(*) from book_term where term_id = term.id) as n from term where kind = 'genre' order by n desc").all()
const words = ['the', 'of', 'dragon']
console.log('genres', JSON.stringify(genres.slice(0, 4)), genres.length)
const total = seeded.books
const pages = Math.floor(total / 50)
const get = (path: string) => ({ path })
const post = (target: string, body: unknown, query = '') => ({ method: 'POST', path: `/api/v1/${target}/list${query}`, body })
const genreAt = (i: number) => genres[i % genres.length]?.key ?? 'x'
const cases: Record<string, (i: number) => any> = {
  'books, page by page': (i) => get(`/api/v1/books?page=${1 + (i % 20)}`),
  'books, deep': (i) => get(`/api/v1/books?page=${1 + ((i * 37) % pages)}`),
  'books by date': (i) => get(`/api/v1/books?sort=createdAt,desc&page=${1 + (i % 20)}`),
  'series, page by page': (i) => get(`/api/v1/series?page=${1 + (i % 10)}`),
  'books of a genre': (i) => post('books', { condition: { genre: { operator: 'is', value: genreAt(i) } } }),
  'series of a genre': (i) => post('series', { condition: { genre: { operator: 'is', value: genreAt(i) } } }),
  'series unread': (i) => post('series', { condition: { readStatus: { operator: 'is', value: 'unread' } } }, `?page=${1 + (i % 5)}`),
  'opds2 root': () => get('/opds/v2/catalog'),
  'opds2 root?': () => get('/opds/v2'),
  'search books': (i) => post('books', { fullTextSearch: ['book', 'chapter', 'the', 'sea', 'night'][i % 5] }),
  'title contains': (i) => post('books', { condition: { title: { operator: 'contains', value: ['the', 'ea', 'night'][i % 3] } } }),
}
for (const [name, make] of Object.entries(cases)) {
  if (only && !name.includes(only)) continue
  const connection = await openConnection(server.port)
  const ask = async (i: number) => {
    const reply = await connection.exchange(requestBytes({ ...make(i), headers: installation.token }))
    return reply
  }
  const first = await ask(0)
  if (first.status !== 200) { console.log(name, first.status, first.body.toString().slice(0, 100)); connection.close(); continue }
  for (let i = 0; i < 60; i += 1) { change(); await ask(i) }
  const results: number[] = []
  const every: number[] = []
  const t0 = perThread(server.pid); let asked = 0
  for (let round = 0; round < Number(rounds); round += 1) {
    const each: number[] = []
    let cpu = 0
    const many = name.startsWith('opds') || size !== '10k' ? 60 : 100
    for (let i = 0; i < many; i += 1) {
      change()
      const before = exactCpuUsOf(server.pid)
      await ask(60 + round * many + i)
      asked += 1
      const used = exactCpuUsOf(server.pid) - before
      every.push(used)
      cpu += used
    }
    results.push(cpu / many / 1000)
  }
  console.log(name.padEnd(24), results.map((r) => r.toFixed(2)).join(' '), 'ms CPU', 'min', (every.sort((a, b) => a - b)[0] / 1000).toFixed(2), 'tenth', (every[Math.floor(every.length / 10)] / 1000).toFixed(2), 'med', (every[Math.floor(every.length / 2)] / 1000).toFixed(2), `${(first.body.length / 1000).toFixed(0)} KB`)
  const t1 = perThread(server.pid)
  console.log('    by thread:', Object.entries(t1).map(([n, us]) => [n, (us - (t0[n] ?? 0)) / asked / 1000]).filter(([, ms]) => ms > 0.01).map(([n, ms]) => `${n} ${ms.toFixed(2)}`).join(', '))
  connection.close()
}
