import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { patchEngine } from '../build/ebook-engine.ts'

const source = readFileSync(fileURLToPath(import.meta.resolve('foliate-js/paginator.js')), 'utf8')

test('W5 the frame of a book runs nothing, and the engine needs nothing the policy forbids', () => {
  const patched = patchEngine(source)
  expect(source).toMatch(/allow-scripts/)
  expect(patched.match(/'allow-[^']*'/g)).toEqual(["'allow-same-origin allow-scripts'", "'allow-same-origin'"])
  expect(patched).toContain("'GestureEvent' in globalThis ? 'allow-same-origin allow-scripts' : 'allow-same-origin'")
  expect(patched).not.toMatch(/innerHTML|createElement\('style'\)|srcdoc|insertAdjacentHTML|document\.write/)
})

test('an engine that is written otherwise is not built', () => {
  expect(() => patchEngine(source.replace('allow-same-origin', 'allow-popups'))).toThrow('has changed')
  expect(() => patchEngine(source + source)).toThrow('2 times')
})
