import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeConfig } from './config.ts'
import { settingsOfProvider } from './config-oidc.ts'
import { definitionOf, keyFromVariable, settingKeys } from './features/settings/definitions.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const document = read('../../../docs/operators/configuration.md')
const inWords = new Map([
  ['', 'empty'],
  ['(empty)', 'empty'],
  ['(not set)', 'not set'],
])
const shown = (fallback: string): string => inWords.get(fallback) ?? `\`${fallback}\``

test('CFG-3 the operators’ page has a row with the default for every variable, and names no other', () => {
  const lines = describeConfig({ env: {}, workingDir: import.meta.dirname, isTerminal: false })
  const expected = lines.map((line) => {
    const [, name, fallback = ''] = /^(\w+)=(.*?) {2}\(default\)$/.exec(line) ?? []
    return [name, shown(fallback)]
  })
  const rows = [...document.matchAll(/^\| `(CARREL_\w+)` \| (.+?) \|/gm)].map(([, name, fallback]) => [name, fallback])
  const inSource = new Set(read('./config.ts').match(/CARREL_\w+/g))
  const named = document.replaceAll(/CARREL_OIDC_<NAME>_\w+/g, '').match(/CARREL_[A-Z_]*[A-Z]/g) ?? []
  const unknown = named
    .map((name) => name.replace(/_FILE$/, ''))
    .filter((name) => !inSource.has(name) && !isSetting(name))

  expect(expected.length).toBeGreaterThan(15)
  expect(rows).toEqual(expected)
  expect(unknown).toEqual([])
})

test('AUTH-8 CFG-3 the operators’ page has a row with the default for every variable of a provider', () => {
  const expected = settingsOfProvider('<name>').map(([name, { fallback }]) => [name, shown(fallback ?? '(not set)')])
  const rows = [...document.matchAll(/^\| `(CARREL_OIDC_<NAME>_\w+)` \| (.+?) \|/gm)]

  expect(rows.map(([, name, fallback]) => [name, fallback])).toEqual(expected)
})

test('CFG-4 the operators’ page has a row with the default for every run-time setting', () => {
  const expected = settingKeys.map((key) => [key, shown(String(definitionOf(key).defaultValue))])
  const rows = [...document.matchAll(/^\| `([a-z_]+(?:\.[a-z_]+)+)` \| (.+?) \|/gm)].map(([, key, fallback]) => [
    key,
    fallback,
  ])

  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected))
  expect(rows.length).toBe(expected.length)
})

const isSetting = (name: string): boolean =>
  name === 'CARREL_SETTING' || keyFromVariable(name.replace('CARREL_SETTING_', '')) !== undefined
