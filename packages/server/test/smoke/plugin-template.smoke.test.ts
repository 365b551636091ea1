import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPlugin, installPluginPackage, readTask, testPlugin } from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { claim, startCarrel } from './carrel.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'my-plugin-'))
const inFolder = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

/** It does what `npm install` of the published package and a copy of its template would, without asking a registry. */
beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/build-plugin-sdk.ts')], { stdio: 'inherit' })
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@carrel'), { recursive: true })
  cpSync(join(root, 'packages/plugin-sdk/dist'), join(packages, '@carrel/plugin-sdk'), { recursive: true })
  cpSync(join(root, 'node_modules/typebox'), join(packages, 'typebox'), { recursive: true })
  cpSync(join(packages, '@carrel/plugin-sdk/template'), folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('PLG-1 a plugin begun from the template passes its own tests with the package as it is published', () => {
  expect(inFolder('--test', '--test-reporter=tap')).toMatch(/# pass 3\n# fail 0\n/)
})

test('it can be asked from the command line', () => {
  const answer = inFolder(
    'node_modules/@carrel/plugin-sdk/testing/try.js',
    'src/main.js',
    'metadata/series/search',
    '{"query":"night"}',
    '--config={"least":0.1}',
  )
  expect(JSON.parse(answer)).toMatchObject({ results: [{ externalId: '1', title: 'Night Train' }] })
})

test('PLG-1 C19 as it is, it is installed from its folder and runs', async () => {
  await using around = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: around.path })
  const { call } = await claim(carrel)
  await cp(folder, join(carrel.dataDir, 'plugins/my-plugin'), { recursive: true })
  const body = { source: 'folder', path: 'my-plugin' } as const
  const { taskId } = bodyOf(await call(installPluginPackage, { body }))
  const task = async () => bodyOf(await call(readTask, { params: { id: taskId } }))
  await expect.poll(async () => (await task()).status).toMatch(/completed|failed/)
  expect(await task()).toMatchObject({ status: 'completed', lastError: null })
  const mine = { name: 'my-plugin', displayName: 'My plugin', package: 'my-plugin' }
  const { plugin } = bodyOf(await call(createPlugin, { body: mine }))

  expect(bodyOf(await call(testPlugin, { params: { id: plugin.id } }))).toMatchObject({
    success: true,
    manifest: { name: 'my-plugin', version: '0.1.0' },
  })
})
