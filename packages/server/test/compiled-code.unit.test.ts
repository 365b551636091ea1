import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const loader = fileURLToPath(new URL('../bin/compiled-code.cjs', import.meta.url))

/** A bundle of two files, and a program that starts it as the launcher does. */
const bundle = () => {
  const root = mkdtempSync(join(tmpdir(), 'carrel-compiled-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'dist')
  const kept = join(root, 'kept')
  mkdirSync(folder)
  const write = (name: string, source: string): void => writeFileSync(join(folder, name), source)
  write('main.js', `const { greet } = require('./greeting.js'); console.log(greet(), __filename.endsWith('main.js'))`)
  write('greeting.js', `exports.greet = () => 'good morning'`)
  const options = JSON.stringify({ kept, program: 'serve', mayKeep: true })
  const program = `require(${JSON.stringify(loader)}).takeCompiled(${JSON.stringify(folder)}, ${options}); require(${JSON.stringify(join(folder, 'main.js'))})`
  const start = (): string => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const file = (): string => join(kept, readdirSync(kept).join())
  return { write, start, file, kept, inode: () => statSync(file()).ino }
}

test('what a first start has compiled is taken by the next, and left as it is', () => {
  const { start, file, inode } = bundle()
  expect(start()).toBe('good morning true')
  const first = inode()
  expect(file()).toMatch(new RegExp(`serve-${process.version}-${process.arch}\\.bin$`))

  expect(start()).toBe('good morning true')
  expect(inode()).toBe(first)
})

test.each([
  ['is damaged', (bytes: Buffer) => bytes.fill(0, bytes.length - 20)],
  ['is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['is empty', (bytes: Buffer) => bytes.subarray(0, 0)],
  ['is nonsense', () => Buffer.alloc(4096, 'nonsense')],
])('what %s is compiled anew and replaced', (_, spoil) => {
  const { start, file, inode } = bundle()
  start()
  const sound = inode()
  writeFileSync(file(), spoil(readFileSync(file())))

  expect(start()).toBe('good morning true')
  const mended = inode()
  expect(mended).not.toBe(sound)
  start()
  expect(inode()).toBe(mended)
})

test('another source is never run as what was compiled of the last', () => {
  const { write, start, inode } = bundle()
  start()
  const first = inode()
  write('greeting.js', `exports.greet = () => 'good evening to you'`)
  expect(start()).toBe('good evening to you true')
  expect(inode()).not.toBe(first)
})

test('where nothing may be written, it starts all the same', () => {
  const { start, kept } = bundle()
  writeFileSync(kept, 'a file in the place of the folder')
  expect(start()).toBe('good morning true')
  expect(start()).toBe('good morning true')
})
