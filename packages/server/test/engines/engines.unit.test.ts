import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { engines, needs } from './needs.ts'
import { statementsIn } from './statements.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Statements for SQLite, and those that other servers' databases are read with, are nothing to PostgreSQL. */
const isForOthers = (name: string): boolean =>
  name.startsWith('database/dialects/sqlite/') || name.startsWith('features/imports/sources/')

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((name) => !isForOthers(name))

/** Reading a file as a program takes long, and hardly any has a word of these in it. */
const texts = files
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }))
  .filter(({ text }) => needs.some(({ written }) => new RegExp(written.source.replaceAll('^', ''), 'i').test(text)))
  .map(({ name, text }) => ({ name, statements: statementsIn(name, text) }))

test('W16 statements ask for what distributed databases lack only where it is known', () => {
  const used = needs.map(({ name, written }) => ({
    name,
    usedIn: texts
      .filter(({ statements }) => written.test(statements))
      .map((each) => each.name)
      .toSorted(),
  }))

  expect(used).toEqual(needs.map(({ name, usedIn }) => ({ name, usedIn })))
})

const page = fileURLToPath(new URL('../../../../docs/operators/scale.md', import.meta.url))

/** Each need as a row of the table, with what lacks it and what it is for. */
const rows = needs.map(({ name, lacking, purpose = 'not used' }) => {
  const reasons = engines.map((engine) => lacking[engine] ?? '')
  return `| ${[name, ...reasons, purpose].join(' | ')} |`
})

test('W16 the page for operators says what is needed, and what lacks it', () => {
  // How wide the columns are is no difference.
  const written = readFileSync(page, 'utf8').replaceAll(/ +/g, ' ').split('\n')

  expect(rows.filter((row) => !written.includes(row.replaceAll(/ +/g, ' ')))).toEqual([])
})
