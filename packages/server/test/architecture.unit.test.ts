import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folderImports, foldersInCircles, importsIn } from './folders.ts'
import { featureImports } from './feature-imports.ts'
import { writesIn } from './table-writes.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const source = join(packages, 'server/src')

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))

const shipped = filesBelow(source).filter((file) => !file.endsWith('.test.ts'))
const nameOf = (file: string): string => relative(source, file).split(sep).join('/')

const isAboveDatabase = (name: string): boolean => !name.startsWith('database/')
const writes = writesIn(shipped.filter((file) => isAboveDatabase(nameOf(file)))).map(({ file, table }) => ({
  name: nameOf(file),
  table,
}))

/** The catalogue changes lists of a kind for the feature that the kind, and its tables, are of. */
const writerOf = ({ name, table }: (typeof writes)[number]): string =>
  name.startsWith('catalogue/member-lists/')
    ? `features/${table?.startsWith('read_list') ? 'read-lists' : 'collections'}`
    : name.split('/').slice(0, 2).join('/')

test('W1 each table has one folder that writes it', () => {
  const writers = Map.groupBy(writes, ({ table }) => table)
  const shared = [...writers]
    .map(([table, each]) => [table, ...new Set(each.map(writerOf))])
    .filter(([, ...folders]) => folders.length > 1)

  expect(writes.filter(({ table }) => table === undefined)).toEqual([])
  expect(shared).toEqual([])
  expect(writers.size).toBeGreaterThan(100)
})

/** Whoever changes what these follow from calls `refresh`; nobody writes them beside it. */
const projections: Readonly<Record<string, string>> = {
  book: 'catalogue/shown',
  series: 'catalogue/shown',
  series_name: 'catalogue/shown',
  series_in_part: 'catalogue/shown',
  book_claim: 'catalogue/shown',
  series_claim: 'catalogue/shown',
  list_claim: 'catalogue/member-lists',
  book_term: 'catalogue/terms',
  series_term: 'catalogue/terms',
  external_id: 'catalogue/metadata',
  metadata_layer: 'catalogue/metadata',
  book_search: 'catalogue/search-index',
  series_search: 'catalogue/search-index',
}

test('what is shown of books and series is written on one floor', () => {
  const those = writes.filter(({ table = '' }) => table in projections)

  expect(those.filter(({ name, table = '' }) => !name.startsWith(`${projections[table]}/`))).toEqual([])
  expect(new Set(those.map(({ table }) => table)).size).toBe(Object.keys(projections).length)
})

test('SQL is written in queries.ts, in filtering/ and below database/', () => {
  const statements =
    /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`|\b(insertMany|replaceIndexed|updateMany)\(/
  const elsewhere = shipped
    .filter((file) => statements.test(readFileSync(file, 'utf8')))
    .map(nameOf)
    .sort()
    .filter((name) => !/(^|\/)queries\.ts$/.test(name) && !/^(database|filtering|tasks|events)\//.test(name))

  // The probe of `/health/ready` writes nothing of its own.
  expect(elsewhere).toEqual(['features/health/health.ts'])
})

test('only config.ts and the commands look at the environment', () => {
  const readers = shipped
    .filter((file) => readFileSync(file, 'utf8').includes('process.env'))
    .map(nameOf)
    .filter((name) => name !== 'config.ts' && !name.startsWith('commands/'))

  // A process that works in the background has no configuration to ask.
  expect(readers).toEqual(['platform/processes/step-back.ts'])
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

/** The types of all tables are gathered in one file, wherever they stand. */
const imports = shipped
  .flatMap((file) => importsIn(nameOf(file), readFileSync(file, 'utf8')))
  .filter(({ from, to }) => from !== 'database/schema.ts' || !to.endsWith('/table.ts'))

/** The folders right below one; a file that lies there itself is in none of them. */
const folderBelow =
  (parent: string) =>
  (file: string): string | undefined => {
    const [folder, ...rest] = file.startsWith(parent) ? file.slice(parent.length).split('/') : []
    return rest.length > 0 ? folder : undefined
  }

test('no folders need each other in a circle', () => {
  const circles = ['', 'catalogue/', 'features/', 'doors/'].map((parent) =>
    foldersInCircles(folderImports(imports, folderBelow(parent))),
  )

  expect(circles).toEqual([[], [], [], []])
})

test('nothing below features knows one, and the catalogue knows nothing that is not below it', () => {
  const folders = folderImports(imports, folderBelow(''))
  const knowing = (name: string) => [...folders].filter(([, those]) => those.has(name)).map(([folder]) => folder)

  expect(knowing('features').toSorted()).toEqual(['commands', 'doors'])
  expect([...(folders.get('catalogue') ?? [])].toSorted()).toEqual([
    'database',
    'events',
    'filtering',
    'formats',
    'naming',
    'platform',
    'tasks',
  ])
})

test('no two features import each other but those that are left', () => {
  const folders = folderImports(imports, folderBelow('features/'))
  const pairs = [...folders].map(([feature, others]) => [feature, [...others].toSorted()] as const)

  expect(Object.fromEntries(pairs)).toEqual(featureImports)
})

test('the tree in ARCHITECTURE.md has all folders that exist, and no other', () => {
  const root = join(packages, '..')
  const [, tree = ''] = /## The tree\n\n```\n([^`]*)```/.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')) ?? []
  const above: string[] = []
  const drawn = tree.split('\n').flatMap((line) => {
    const [, indent = '', name] = /^((?:  )*)([\w.-]\S*)/.exec(line) ?? []
    if (name === undefined || indent.length > 2 * above.length) return []
    above.splice(indent.length / 2, above.length, name)
    return [above.join('')]
  })
  const notOurs = new Set(['node_modules', 'dist', 'data', 'coverage'])
  const foldersIn = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !notOurs.has(entry.name))
      .map(({ name }) => `${folder}${name}/`)

  expect(drawn.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const folders = ['', 'packages/', 'packages/server/', 'packages/server/src/'].flatMap(foldersIn)
  expect(folders.filter((folder) => !drawn.some((path) => path.startsWith(folder)))).toEqual([])
  expect(folders.length).toBeGreaterThan(20)
})
