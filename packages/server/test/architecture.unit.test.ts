import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const source = join(packages, 'server/src')

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))

const shipped = filesBelow(source).filter((file) => !file.endsWith('.test.ts'))
const nameOf = (file: string): string => relative(source, file).split(sep).join('/')

test('W1 each table has one folder that writes it', () => {
  const writers = new Map<string, Set<string>>()
  for (const file of shipped.filter((each) => !nameOf(each).startsWith('database/migrations/'))) {
    const text = readFileSync(file, 'utf8')
    for (const [, table = ''] of text.matchAll(
      /(?:insertInto|updateTable|deleteFrom|(?:insertMany|updateMany)\(\s*db,)\(?\s*'(\w+)'/g,
    )) {
      const folder = nameOf(file).split('/').slice(0, 2).join('/')
      writers.set(
        table,
        (writers.get(table) ?? new Set()).add(nameOf(file).startsWith('database/') ? 'database' : folder),
      )
    }
  }
  const shared = [...writers].filter(([, folders]) => folders.size > 1).map(([table, folders]) => [table, ...folders])

  expect(shared).toEqual([])
  expect(writers.size).toBeGreaterThan(8)
})

/** Whoever changes what these follow from calls `refresh`; nobody writes them beside it. */
const projections = {
  book: 'catalogue/shown',
  series: 'catalogue/shown',
  series_name: 'catalogue/shown',
  book_term: 'catalogue/terms',
  series_term: 'catalogue/terms',
  external_id: 'catalogue/metadata',
  metadata_layer: 'catalogue/metadata',
  book_search: 'catalogue/search-index',
  series_search: 'catalogue/search-index',
}

test('what is shown of books and series is written on one floor, by a builder or in plain SQL', () => {
  const names = Object.keys(projections).join('|')
  const statement = new RegExp(
    `(?:insertInto|updateTable|deleteFrom|(?:insertMany|updateMany)\\(\\s*db,)\\(?\\s*'(${names})'|(?:update|into|delete from) (${names})\\b`,
    'g',
  )
  const writers = shipped
    .map(nameOf)
    .filter((name) => !name.startsWith('database/'))
    .flatMap((name) =>
      [...readFileSync(join(source, name), 'utf8').matchAll(statement)].map(([, built, plain]) => ({
        name,
        table: built ?? plain ?? '',
      })),
    )
  const folders: Readonly<Record<string, string>> = projections
  const strangers = writers.filter(({ name, table }) => !name.startsWith(`${folders[table]}/`))

  expect(strangers).toEqual([])
  expect(writers.length).toBeGreaterThan(20)
})

test('SQL is written in queries.ts, in filtering/ and below database/', () => {
  const builders = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
  const elsewhere = shipped
    .filter((file) => builders.test(readFileSync(file, 'utf8')))
    .map(nameOf)
    .filter((name) => !/(^|\/)queries\.ts$/.test(name) && !/^(database|filtering|tasks|events)\//.test(name))

  expect(elsewhere).toEqual([])
})

test('only config.ts and the commands look at the environment', () => {
  const readers = shipped
    .filter((file) => readFileSync(file, 'utf8').includes('process.env'))
    .map(nameOf)
    .filter((name) => name !== 'config.ts' && !name.startsWith('commands/'))

  expect(readers).toEqual([])
})

test('nothing is called Service, Manager, Helper or Util', () => {
  const vague = /(service|manager|helper|utils?)(\.|$)/i
  const files = [...filesBelow(packages)].filter(
    (file) => !file.includes('node_modules') && !file.includes(`${sep}dist${sep}`),
  )

  expect(files.map((file) => relative(packages, file)).filter((file) => vague.test(file.replace(/\.ts$/, '')))).toEqual(
    [],
  )
  const declared = shipped.filter((file) =>
    /\b(class|interface|type|const|function) \w*(Service|Manager|Helper|Util)s?\b/.test(readFileSync(file, 'utf8')),
  )
  expect(declared.map(nameOf)).toEqual([])
})
