import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { decode } from '@jridgewell/sourcemap-codec'
import { build } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import { escapeAll, escapeNonAscii } from '../../../scripts/escape-non-ascii.ts'

const source = [
  "const dash = '–', face = `😀 ${dash}`, pattern = /^[–😀é-ü]+$/u, end = 'here'",
  "exports.all = [dash, face, pattern.test('–😀ö'), pattern.test('x'), end]",
].join('\n')

const bundleOf = async (source: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-ascii-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'main.cjs'), source)
  const { output } = await build({
    cwd: folder,
    input: 'main.cjs',
    platform: 'node',
    plugins: [escapeNonAscii],
    write: false,
    output: { format: 'cjs', sourcemap: true, minify: { mangle: false, compress: false, codegen: true } },
  })
  const [{ code, map }] = output
  const module: { exports: { all?: unknown } } = { exports: {} }
  runInNewContext(code, { module, exports: module.exports })
  return { code, map, all: module.exports.all }
}

test('the bundle is ASCII, means the same, and is mapped to its sources still', async () => {
  const { code, map, all } = await bundleOf(source)
  expect(code).toMatch(/^[\0-\x7f]*$/)
  expect(all).toEqual(['–', '😀 –', true, false, 'here'])

  const [line, column] = placeOf(code, 'here')
  const [, , fromLine, fromColumn] = decode(map?.mappings ?? '')[line]?.find(([at]) => at === column) ?? []
  expect([fromLine, fromColumn]).toEqual(placeOf(source, 'here'))
})

test('a text in which an escape would be no escape stays as it is', async () => {
  const { all } = await bundleOf('exports.all = String.raw`–\\d`')
  expect(all).toBe(String.raw`–\d`)
})

test('what a slash stands before is not made another text', () => {
  expect(escapeAll(String.raw`'\\…'`)).toBe(String.raw`'\\\u2026'`)
  expect(() => escapeAll(String.raw`'\…'`)).toThrow(/no escape/)
})

/** Where a text begins, with its quote. */
const placeOf = (code: string, text: string): [number, number] => {
  const before = code.slice(0, code.search(new RegExp(`.${text}`))).split('\n')
  return [before.length - 1, before.at(-1)?.length ?? 0]
}
