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
    for (const [, table = ''] of text.matchAll(/(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'/g)) {
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
