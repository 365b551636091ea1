import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const listLoaded = `
  import { registerHooks } from 'node:module'
  registerHooks({
    load: (url, context, next) => {
      console.log(url)
      return next(url, context)
    },
  })`

const loadedBy = (program: string): string[] => {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const hook = `data:text/javascript,${encodeURIComponent(listLoaded)}`
  return execFileSync(process.execPath, ['--import', hook, file], { encoding: 'utf8' }).split('\n')
}

test('a decoder starts without the contract and its schemas, which take longer to load than all the formats', () => {
  const loaded = loadedBy('./main.ts')
  expect(loaded.some((url) => url.endsWith('/formats/cbz.ts'))).toBe(true)
  expect(loaded.filter((url) => url.includes('/packages/api/') || url.includes('/node_modules/typebox/'))).toEqual([])
  expect(loaded.filter((url) => url.includes('/better-sqlite3/'))).toEqual([])
})
