// @ts-nocheck
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { seededLibrary } from './books/seeded-library.ts'
import { openConnection, requestBytes } from './connection.ts'
import { sqliteBench } from './databases/sqlite.ts'
import { loadSqlite } from './databases/server-drivers.ts'
const [size = '10k', ...which] = process.argv.slice(2)
await using seeded = await seededLibrary(sqliteBench, size)
const { installation } = seeded
await using server = await installation.start({ CARREL_LOG_LEVEL: 'trace' })
const db = new (loadSqlite())(join(installation.directory, 'carrel.db'))
db.pragma('busy_timeout = 5000')
let n = 0
const change = () => db.prepare("insert into change_mark (reader, value) values ('', ?) on conflict (reader) do update set value = excluded.value").run(`bench ${(n += 1)}`)
const genres = db.prepare("select key, (select count(*) from book_term where term_id = term.id) as n from term where kind = 'genre' order by n desc").all()
const post = (target, body, q = '') => ({ method: 'POST', path: `/api/v1/${target}/list${q}`, body })
const g = (i) => genres[i % genres.length].key
const cases = {
  books: (i) => ({ path: `/api/v1/books?page=${1 + (i % 20)}` }),
  deep: (i) => ({ path: `/api/v1/books?page=${100 + (i % 20)}` }),
  series: (i) => ({ path: `/api/v1/series?page=${1 + (i % 10)}` }),
  genre: (i) => post('books', { condition: { genre: { operator: 'is', value: g(i) } } }),
  sgenre: (i) => post('series', { condition: { genre: { operator: 'is', value: g(i) } } }),
  unread: (i) => post('series', { condition: { readStatus: { operator: 'is', value: 'unread' } } }, `?page=${1 + (i % 5)}`),
  opds: () => ({ path: '/opds/v2' }),
  text: (i) => post('books', { fullTextSearch: ['book', 'chapter', 'the', 'sea', 'night'][i % 5] }),
  contains: (i) => post('books', { condition: { title: { operator: 'contains', value: ['the', 'ea', 'night'][i % 3] } } }),
}
const log = () => readdirSync(installation.directory).filter((f) => f.startsWith('bench-') && f.endsWith('.log')).map((f) => readFileSync(join(installation.directory, f), 'utf8')).sort((a, b) => b.length - a.length)[0]
for (const name of which.length ? which : Object.keys(cases)) {
  const connection = await openConnection(server.port)
  const ask = (i) => connection.exchange(requestBytes({ ...cases[name](i), headers: installation.token }))
  for (let i = 0; i < 40; i += 1) { change(); await ask(i) }
  const before = log().length
  const times = 12
  for (let i = 0; i < times; i += 1) { change(); await ask(i) }
  const lines = log().slice(before).split('\n').filter((l) => l.includes('"sql"')).map((l) => JSON.parse(l)).filter(l => !/task|worker|schedule|outbox|"event"/.test(l.sql))
  const by = new Map()
  for (const { sql, ms } of lines) { const e = by.get(sql.slice(0, 3000)) ?? []; e.push(ms); by.set(sql.slice(0, 3000), e) }
  console.log(`=== ${name}: statements per request ${(lines.length / times).toFixed(1)}`)
  for (const [sql, all] of [...by].sort((a, b) => b[1].reduce((x, y) => x + y, 0) - a[1].reduce((x, y) => x + y, 0)).slice(0, 14))
    console.log(`${(all.reduce((x, y) => x + y, 0) / times).toFixed(2)} ms/request (${(all.length / times).toFixed(1)}x, min ${Math.min(...all)})  ${sql.replace(/\s+/g, ' ').slice(0, process.env.LONG ? 2500 : 170)}`)
  connection.close()
}
