import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  bookErrorCodes,
  errorCodes,
  healthProblems,
  isLanguage,
  languages,
  problemReasons,
  scanErrorCodes,
  taskFailures,
} from '@carrel/api'
import { expect, test } from 'vitest'
import { completed } from '../build/complete-strings.ts'
import { kindOf } from '../src/features/tasks/kinds.ts'
import { entriesOf, faultsOf, filesOf, ofServer, readStrings, source, speaking } from './translations.ts'

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** What a component asks for: `t('a.b')`, or `t(\`a.${b}\`)`, which may be any key that begins so. */
const askedFor = (files: readonly string[]): { keys: Set<string>; beginnings: string[] } => {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const keys = new Set(
    [...text.matchAll(/\bt\(\s*'([^']+)'/g), ...text.matchAll(/i18nKey="([^"]+)"/g)].map(([, key = '']) => key),
  )
  for (const [, one = '', other = ''] of text.matchAll(/\bt\([^`()]*?\?\s*'([^']+)'\s*:\s*'([^']+)'/g))
    keys.add(one).add(other)
  const beginnings = [...text.matchAll(/\bt\(\s*`([^$`]+)\$\{/g)].map(([, beginning = '']) => beginning)
  return { keys, beginnings }
}

const sources = filesBelow(source).filter((file) => /\.tsx?$/.test(file))

test.each(speaking)('%s: somebody says every string', (folder) => {
  // The common strings may be said everywhere, those of a feature in its folder.
  const speakers = ['ui', 'lists', 'metadata'].includes(basename(folder))
    ? sources
    : sources.filter((file) => file.startsWith(join(source, folder)))
  const { keys, beginnings } = askedFor(speakers)
  const english = [...entriesOf(readStrings(folder, 'en')).keys()]
  expect(english.filter((key) => !keys.has(key) && !beginnings.some((each) => key.startsWith(each)))).toEqual([])
})

test('the server says every string of its own', () => {
  const text = filesBelow(join(source, '../../server/src'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const english = [...entriesOf(readStrings(ofServer, 'en')).keys()]
  const isSaid = (key: string): boolean => {
    const [, what] = /^count\.(.*)$/.exec(key) ?? []
    return text.includes(`'${what ?? key}'`) || text.includes(`\`${key.replace(/[^.]*$/, '')}\${`)
  }
  expect(english.filter((key) => !isSaid(key))).toEqual([])
})

const everyLanguage = languages

test.each(everyLanguage)('%s: every string is there, with the same gaps and every form it counts in', (language) => {
  expect(
    [...speaking, ofServer].flatMap((folder) => faultsOf(folder, language).map((fault) => `${folder} ${fault}`)),
  ).toEqual([])
  expect(
    filesOf(language)
      .map((file) => file.replace(`/strings/${language}.json`, ''))
      .sort(),
  ).toEqual([...speaking].sort())
})

test('a language with a file is a language of the app, and the other way round', () => {
  const files = readdirSync(join(source, 'text/languages')).map((name) => name.replace('.ts', ''))
  expect(files.filter((name) => !isLanguage(name))).toEqual([])
  expect(files.sort()).toEqual([...everyLanguage].sort())
  // Each is the English one with its own name.
  const english = readFileSync(join(source, 'text/languages/en.ts'), 'utf8')
  for (const name of files)
    expect(readFileSync(join(source, `text/languages/${name}.ts`), 'utf8')).toBe(
      english.replaceAll('en.json', `${name}.json`),
    )
})

test('what translators have not come to yet stands in English, and a form they left out is as the others', () => {
  const english = { a: 'A', b: { c: 'C', d_one: 'One', d_other: '{{count}}' }, open_other: 'O' }
  expect(completed({ b: { d_one: 'Un', d_other: '{{count}} e' } }, english, 'fr')).toEqual({
    a: 'A',
    b: { c: 'C', d_one: 'Un', d_many: '{{count}} e', d_other: '{{count}} e' },
    open_other: 'O',
  })
  expect(completed({ b: { d_other: '{{count}}冊' } }, english, 'ja').b).toEqual({ c: 'C', d_other: '{{count}}冊' })
  expect(Object.keys(completed({}, english, 'ar').b as object)).toHaveLength(7)
})

test('every reason the server may give has its sentence, with the same names in it', () => {
  const english = entriesOf(readStrings('ui', 'en'))
  const unfit = Object.entries(problemReasons).filter(([reason, meaning]) => {
    const sentence = english.get(`problem.reason.${reason}`)?.forms.get('other')
    const offered = new Set([...meaning.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    const used = [...(sentence ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
    return sentence === undefined || used.some((name) => !offered.has(name))
  })
  expect(unfit).toEqual([])
})

test('every code by which the server says what is wrong has its sentence', () => {
  const lacking = (folder: string, keys: readonly string[]): string[] => {
    const english = entriesOf(readStrings(folder, 'en'))
    return keys.filter((key) => !english.has(key))
  }
  expect(
    lacking(
      'ui',
      [...errorCodes, ...taskFailures].map((code) => `problem.${code}`),
    ),
  ).toEqual([])
  expect(
    lacking(
      'features/book-errors',
      bookErrorCodes.map((code) => `code.${code}.name`),
    ),
  ).toEqual([])
  expect(
    lacking(
      'features/scans',
      scanErrorCodes.map((code) => `problem.${code}`),
    ),
  ).toEqual([])
  expect(
    lacking(
      'features/server',
      healthProblems.map((code) => `health.problem.${code}`),
    ),
  ).toEqual([])
  // What the server says itself at its doors has all of them but the limiter's, whose words are the law's.
  expect(
    lacking(
      ofServer,
      errorCodes.filter((code) => code !== 'rate_limit_exceeded').map((code) => `problem.${code}`),
    ),
  ).toEqual([])
})

test('every kind of task of the server has its name, and why it runs', () => {
  const text = filesBelow(join(source, '../../server/src'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const kinds = [
    // The kind stands on its own line right after the payload; some have a name of their own in the file.
    ...text.matchAll(/\bdefineTask\((?:(?!\btype\b)[^])*\btype: '(\w+)'/g),
    ...text.matchAll(/\bdefineCleanUp(?:<[^(]*>)?\(\s*'(\w+)'/g),
    ...text.matchAll(/\brefreshType = '(\w+)'/g),
  ].map(([, kind = '']) => kind)
  const english = entriesOf(readStrings('features/tasks', 'en'))
  expect(kinds.length).toBeGreaterThan(40)
  expect(
    kinds.filter((kind) => kindOf(kind) === undefined || !english.has(`name.${kind}`) || !english.has(`why.${kind}`)),
  ).toEqual([])
})
