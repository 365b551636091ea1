import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const rulePattern = /\b(?:CFG|HTTP|AUTH|LIM|EVT|LIB|CAT|READ|REC|PLG|TSK|OPD|COM|KOR)-\d+\b|\b[WC]\d{1,2}\b/g

const specified = new Set([
  ...idsAtStart('decisions.md', /^- ([A-Z]+-\d+) /gm),
  ...idsAtStart('pins.md', /^\*\*([WC]\d+) /gm),
])
const shown = new Set(testFiles().flatMap((file) => titlesOf(file).flatMap((title) => title.match(rulePattern) ?? [])))
/** Rules whose part of the house is not built yet. The list only ever gets shorter. */
const ahead = new Set(
  readFileSync(join(root, 'docs/spec/ahead.txt'), 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line)),
)

test('every rule that a test names stands in the specification', () => {
  expect([...shown].filter((id) => !specified.has(id))).toEqual([])
})

test('every rule of the specification is shown by a test, or is still ahead', () => {
  expect([...specified].filter((id) => !shown.has(id) && !ahead.has(id))).toEqual([])
})

test('what is ahead is a rule and is not shown yet', () => {
  expect([...ahead].filter((id) => !specified.has(id) || shown.has(id))).toEqual([])
})

function idsAtStart(document: string, pattern: RegExp): string[] {
  return [...readFileSync(join(root, 'docs/spec', document), 'utf8').matchAll(pattern)].map(([, id = '']) => id)
}

function testFiles(): string[] {
  return ['packages', 'e2e']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.name.endsWith('.test.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
}

function titlesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/\b(?:test|it|describe)(?:\.\w+)*\((?:[^'"`\n]*?\)\()?\s*(['"`])([\s\S]*?)\1/g)].map(
    ([, , title = '']) => title,
  )
}
