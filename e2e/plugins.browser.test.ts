import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword } from '../packages/server/test/smoke/carrel.ts'
import { type App, startApp } from './app.ts'

/** Works, unless its settings say otherwise. */
const moody = `import { createInterface } from 'node:readline'
const manifest = {
  name: 'moody', displayName: 'Moody', version: '1.2.3', protocolVersion: '1.0',
  description: 'Has its moods.', author: 'Nobody', homepage: 'javascript:alert(1)',
  capabilities: { metadataProvider: ['series'] },
  requiredCredentials: [{ key: 'token', label: 'Token', required: true, sensitive: true }],
  configSchema: { fields: [
    { key: 'crash', label: 'Crash on purpose', type: 'boolean' },
    { key: 'greeting', label: 'Greeting', type: 'string', default: 'Hello' },
    { key: 'more', label: 'More', type: 'object' },
  ] },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize' && params.config.crash) {
    process.stderr.write('today is not my day\\n')
    process.exit(3)
  }
  const answers = { initialize: manifest, ping: 'pong', shutdown: null }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }) + '\\n')
  if (method === 'shutdown') process.exit(0)
})
`

let app: App
beforeAll(async () => {
  app = await startApp({ books: [] })
  const folder = join(app.carrel.dataDir, 'plugins', 'moody')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'main.mjs'), moody)
  const about = { name: 'carrel-plugin-moody', version: '1.2.3', type: 'module', bin: './main.mjs' }
  await writeFile(join(folder, 'package.json'), JSON.stringify(about))
})
afterAll(() => app[Symbol.asyncDispose]())

const pluginOf = async (page: Page) => {
  const id = new URL(page.url()).pathname.split('/')[3] ?? ''
  return bodyOf(await app.admin.call(api.readPlugin, { params: { id } }))
}

test('PLG-1 a plugin is installed from a folder, set up, tested, seen to fail and be switched off, reset and deleted', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/admin')
  await page.getByRole('link', { name: 'Plugins' }).first().click()
  await page.getByText('No plugin is set up').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('plugins-empty')

  await page.getByLabel('Folder', { exact: true }).fill('nowhere')
  await page.getByRole('button', { name: 'Install' }).click()
  await page.getByText('It could not be installed. “plugins/nowhere” does not exist on the server.').waitFor()
  await page.getByLabel('Folder', { exact: true }).fill('moody')
  await page.getByRole('button', { name: 'Install' }).click()
  await page.getByText('carrel-plugin-moody 1.2.3 is installed.').waitFor()
  await page.getByRole('list', { name: 'Packages' }).getByText('carrel-plugin-moody').waitFor()
  await page.getByRole('link', { name: 'Set it up' }).click()
  expect(await page.getByLabel('Name that is shown').inputValue()).toBe('Moody')
  await page.getByRole('button', { name: 'Set it up' }).click()

  const standing = page.getByRole('region', { name: 'How it is' })
  await standing.getByText('Off', { exact: true }).waitFor()
  await page.getByText('is known when it has been started').waitFor()
  await standing.getByRole('button', { name: 'Test it' }).click()
  await standing.getByText('It answers, within').waitFor()
  await page.getByText('Metadata of series').waitFor()
  await page.getByText(/Enforced here: environment, files|Kept from everything/).waitFor()
  // Text of a plugin stays text.
  expect(await page.getByRole('link', { name: /javascript/ }).count()).toBe(0)
  await standing.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('Moody is on.').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('plugin-well')

  await page.getByRole('link', { name: 'Settings' }).last().click()
  await page.getByLabel('Crash on purpose').check()
  await page.getByLabel('Greeting').fill('Good day')
  await page.getByRole('textbox', { name: 'More' }).fill('{"deep": ')
  await page.getByText('This is not the JSON it takes.').waitFor()
  await page.getByRole('textbox', { name: 'More' }).fill('{"deep": [1]}')
  await page.getByLabel('Reach the network').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Moody is saved.').waitFor()
  expect(await pluginOf(page)).toMatchObject({
    config: { crash: true, greeting: 'Good day', more: { deep: [1] } },
    permissions: ['network'],
  })
  expect(await screen.axe()).toEqual([])
  await screen.picture('plugin-settings')

  await page.getByRole('link', { name: 'Overview' }).click()
  for (const count of [1, 2, 3]) {
    await standing.getByRole('button', { name: 'Test it' }).click()
    await page.getByText(`${count} count`, { exact: false }).waitFor()
  }
  await standing.getByText('Switched off by itself').waitFor()
  await standing.getByText('It failed 3 times within 1 hr.').waitFor()
  await standing.getByText('It crashed, or was ended').waitFor()
  const failures = page.getByRole('list', { name: 'Failures' })
  await failures.getByText('What it wrote to its log last').first().click()
  await failures.getByText('today is not my day').first().waitFor()
  expect(await screen.axe()).toEqual([])
  await page.getByRole('region', { name: 'Log', exact: true }).last().getByText('today is not my day').first().waitFor()
  await screen.picture('plugin-switched-off')
  expect(await pluginOf(page)).toMatchObject({ enabled: false, healthStatus: 'disabled' })

  await standing.getByRole('button', { name: 'Forget its failures' }).click()
  await page.getByText('The failures of Moody are forgotten.').waitFor()
  await page.getByText('Nothing went wrong.').waitFor()

  await page.getByRole('button', { name: 'Delete the plugin' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Moody?' })
  await dialog.getByText('are lost').waitFor()
  expect(await screen.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Delete the plugin' }).click()
  await page.getByText('Moody is deleted.').waitFor()
  await page.getByText('No plugin is set up').waitFor()
  expect(bodyOf(await app.admin.call(api.listPlugins, {})).total).toBe(0)

  const packages = page.getByRole('list', { name: 'Packages' })
  await packages.getByRole('button', { name: 'Remove carrel-plugin-moody' }).click()
  const question = page.getByRole('dialog', { name: 'Remove carrel-plugin-moody?' })
  expect(await screen.axe()).toEqual([])
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('carrel-plugin-moody is removed.').waitFor()
  await packages.getByText('carrel-plugin-moody').waitFor({ state: 'detached' })
  expect(await packages.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
})

test('PLG-1 credentials go in and never come out; what was changed can be put back; a reader finds no way there', async () => {
  bodyOf(await app.admin.call(api.installPluginPackage, { body: { source: 'folder', path: 'moody' } }))
  await expect
    .poll(async () => bodyOf(await app.admin.call(api.listPluginPackages, {})).packages.map(({ name }) => name))
    .toContain('carrel-plugin-moody')
  const body = { name: 'encrypted', displayName: 'Encrypted', package: 'carrel-plugin-moody' }
  const { id } = bodyOf(await app.admin.call(api.createPlugin, { body })).plugin
  expect(bodyOf(await app.admin.call(api.testPlugin, { params: { id } })).success).toBe(true)
  const stored = async () => bodyOf(await app.admin.call(api.readPlugin, { params: { id } }))

  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open(`/admin/plugins/${id}/settings`)
  await page.getByLabel('Token').first().fill('a secret word')
  await page.getByRole('button', { name: 'Save credentials' }).click()
  await page.getByText('There are some, encrypted.').waitFor()
  expect(await stored()).toMatchObject({ hasCredentials: true })
  expect(await page.content()).not.toContain('a secret word')
  await page.getByRole('button', { name: 'Forget credentials' }).click()
  await page.getByText('They are encrypted and never shown again.').waitFor()
  expect(await stored()).toMatchObject({ hasCredentials: false })

  await page.getByLabel('Seconds for an answer').fill('7')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await stored()).requestTimeoutSeconds).toBe(7)
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await stored()).requestTimeoutSeconds).toBe(null)
  await screen.picture('plugin-settings-phone-dark')

  await screen.open('/admin/plugins')
  const list = page.getByRole('list', { name: 'Plugins' })
  const row = list.getByRole('listitem').filter({ hasText: 'Encrypted' })
  await row.getByText('Off', { exact: true }).waitFor()
  await page.getByRole('switch', { name: 'Encrypted is on' }).focus()
  await page.keyboard.press('Space')
  await row.getByText('Well', { exact: true }).waitFor()
  expect((await stored()).enabled).toBe(true)
  expect(await screen.axe()).toEqual([])
  await screen.picture('plugins-phone-dark')

  bodyOf(await app.admin.call(api.createUser, { body: { username: 'noa', password: testPassword } }))
  await using other = await app.screen({ as: await signIn(app.carrel, 'noa') })
  // The router says so, too.
  other.forgive(/This page is for others/)
  for (const path of ['', '/new', `/${id}`, `/${id}/settings`]) {
    await other.open(`/admin/plugins${path}`)
    await other.page.getByRole('heading', { name: 'Not for you' }).waitFor()
  }
  expect(other.requests.filter((address) => /api\/v1\/admin/.test(address))).toEqual([])
})
