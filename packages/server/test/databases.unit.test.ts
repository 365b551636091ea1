import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const server = fileURLToPath(new URL('..', import.meta.url))

const files = ['src', 'test']
  .flatMap((folder) => readdirSync(join(server, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(server, join(entry.parentPath, entry.name)).split(sep).join('/'))
const onBoth = files.filter((file) => file.endsWith('.server.test.ts'))
const onOne = files.filter((file) => file.endsWith('.one-database.test.ts'))

/** Queries that are exercised by tests elsewhere, since their folder has no front door of its own. */
const exercisedBy: Readonly<Record<string, string>> = {
  'src/catalogue/entries': 'src/features/books/books.server.test.ts',
  'src/catalogue/lists': 'src/catalogue/member-lists/order.server.test.ts',
  'src/catalogue/lists/books': 'test/conditions/lists.server.test.ts',
  'src/catalogue/metadata': 'src/features/editing/editing.server.test.ts',
  'src/catalogue/metadata/carry-over': 'src/features/merging/merge-series.server.test.ts',
  'src/catalogue/terms': 'src/features/editing/editing.server.test.ts',
  'src/features/book-errors': 'src/features/scan/scan-api.server.test.ts',
  'src/features/client-settings': 'src/doors/compat/every-change.server.test.ts',
  'src/features/doctor': 'test/smoke/own-data.smoke.test.ts',
  'src/features/series-status': 'src/features/home/home.server.test.ts',
  'src/features/viewers': 'test/visibility.server.test.ts',
}

/** In the folder of the queries, or in one it stands in: that of its feature or its door. */
const hasTestOnBoth = (folder: string): boolean => {
  if (onBoth.some((file) => dirname(file) === folder)) return true
  const above = dirname(folder)
  return !/^src(\/(catalogue|features|doors))?$/.test(above) && hasTestOnBoth(above)
}

test('W16 every queries.ts has tests that run on both databases', () => {
  const folders = files.filter((file) => file.endsWith('/queries.ts')).map((file) => dirname(file))
  const without = folders.filter((folder) => !hasTestOnBoth(folder))

  expect(without.toSorted()).toEqual(Object.keys(exercisedBy))
  expect(Object.values(exercisedBy).filter((file) => !existsSync(join(server, file)))).toEqual([])
  expect(folders.length).toBeGreaterThan(70)
})

test('W16 what is about SQL runs on both databases', () => {
  const areas =
    /^(src\/(database|filtering|tasks|events)|src\/features\/(visibility|search|search-index|merging|reading)|test\/conditions)\//
  const walks = [
    'visibility',
    'visible-rules',
    'content-plans',
    'seeding',
    'conditions/conditions',
    'contract/fuzz',
    'contract/nulls',
  ]
  const ofDatabases = /\btestOn\(|\btestDialect\b|\bplanOf\(|\/plans(-of-a-million)?\.ts'/

  expect(onOne.filter((file) => areas.test(file))).toEqual([])
  expect(onOne.filter((file) => ofDatabases.test(readFileSync(join(server, file), 'utf8')))).toEqual([])
  expect(walks.filter((name) => !onBoth.includes(`test/${name}.server.test.ts`))).toEqual([])
  expect(onBoth).toContain('src/features/reading/household.server.test.ts')
})
