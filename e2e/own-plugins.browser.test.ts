import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../packages/server/test/free-port.ts'
import { clientSecret, startProvider, type TestProvider } from '../packages/server/test/oidc-provider.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { amissInBothSchemes, type App, everySize, startApp } from './app.ts'

/** It recommends nothing, and works with an account elsewhere. Its settings say where. */
const moody = `import { createInterface } from 'node:readline'
const manifest = (issuer) => ({
  name: 'elsewhere', displayName: 'Elsewhere', version: '1.0.0', protocolVersion: '1.0',
  description: '<b>Asks</b> somebody else.', userSetupInstructions: 'First this,\\nthen that. ' + 'w'.repeat(90),
  capabilities: { userRecommendationProvider: true },
  requiredCredentials: [{ key: 'access_token', label: 'Token', required: true, sensitive: true }],
  userConfigSchema: { fields: [{ key: 'mood', label: 'Mood', type: 'string', description: 'Of the answers.' }] },
  oauth: { authorizationUrl: issuer + '/auth', tokenUrl: issuer + '/token', userInfoUrl: issuer + '/me', scopes: ['openid', 'profile'] },
})
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const answers = { initialize: () => manifest(params.adminConfig.issuer), ping: () => 'pong', 'recommendations/get': () => ({ recommendations: [] }) }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.() ?? null }) + '\\n')
  if (method === 'shutdown') process.exit(0)
})
`

let app: App
let provider: TestProvider
let back: string
beforeAll(async () => {
  const port = String(await freePort())
  back = `http://127.0.0.1:${port}/api/v1/user/plugins/oauth/callback`
  provider = await startProvider([back], { signOn: 'ana-1' })
  provider.accounts.set('ana-1', { preferred_username: 'ana of elsewhere' })
  app = await startApp({ books: [], env: { CARREL_PORT: port, CARREL_SETTING_PLUGINS_OAUTH_HOSTS: '127.0.0.1' } })
  const folder = join(app.carrel.dataDir, 'plugins')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'elsewhere.mjs'), moody)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

test('C19 a user connects a plugin by signing in and by a token, tells it what they want, switches it and disconnects it', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  await page.getByRole('link', { name: 'Plugins', exact: true }).last().click()
  await page.getByText('No plugin is here for you').waitFor()
  await page.getByText('An administrator sets plugins up.').waitFor()
  expect(await screen.axe()).toEqual([])

  const body = { name: 'elsewhere', displayName: 'Elsewhere', command: 'node', args: ['elsewhere.mjs'], enabled: true }
  const config = { issuer: provider.issuer }
  const { plugin } = bodyOf(await app.admin.call(api.createPlugin, { body: { ...body, config } }))
  const params = { id: plugin.id }
  expect(bodyOf(await app.admin.call(api.testPlugin, { params }))).toMatchObject({ success: true })
  await screen.open('/account/plugins')
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Elsewhere' }) })
  await card.getByText('Your administrator has not set up signing in yet.').waitFor()

  // The administrator.
  await screen.open(`/admin/plugins/${plugin.id}/settings`)
  expect(await page.getByLabel('Address to come back to').inputValue()).toBe(back)
  await page.getByLabel('Client ID').fill('carrel')
  await page.getByLabel('Client secret').fill(clientSecret)
  await page.getByRole('button', { name: 'Save credentials' }).click()
  await page.getByText('Elsewhere is saved.').waitFor()
  await page.getByText('Now carrel.').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('own-plugins-admin')

  // The user, with the keyboard.
  await screen.open('/account/plugins')
  await card.getByText('Not connected').waitFor()
  await card.getByText('How to set it up').press('Enter')
  await card.getByText('then that.').waitFor()
  await card.getByRole('button', { name: 'Sign in for Elsewhere' }).press('Enter')
  await page.getByText('Elsewhere is connected.').waitFor()
  await card.getByText('Connected as ana of elsewhere').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await screen.axe()).toEqual([])
  await screen.picture('own-plugins-connected')

  await card.getByLabel('Mood').fill('calm')
  await card.getByLabel('Mood').press('Enter')
  await page.getByText('Elsewhere is saved.').waitFor()
  const own = async () => bodyOf(await app.admin.call(api.readUserPlugin, { params }))
  expect(await own()).toMatchObject({ connected: true, config: { mood: 'calm' }, connection: { kind: 'oauth' } })

  await card.getByRole('button', { name: 'Switch off: Elsewhere' }).press('Enter')
  await card.getByText('Nothing of yours is sent to it').waitFor()
  await page.getByText('Elsewhere is off for you.').waitFor()
  await page.keyboard.press('u')
  await card.getByText('Connected as ana of elsewhere').waitFor()

  await card.getByRole('button', { name: 'Disconnect: Elsewhere' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Disconnect Elsewhere?' })
  await question.getByText('what it has recommended to you are gone').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('own-plugins-disconnect')
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('Elsewhere is disconnected.').waitFor()
  await card.getByText('Not connected').waitFor()
  expect(await own()).toMatchObject({ connected: false, config: {}, connection: null })

  await card.getByText('Connect by a token instead').press('Enter')
  await card.getByRole('textbox', { name: 'Token' }).fill('a-token-of-mine')
  await card.getByRole('button', { name: 'Connect', exact: true }).press('Enter')
  await card.getByText('Connected by a token').or(card.getByText('Connected as')).first().waitFor()
  expect(await own()).toMatchObject({ connected: true, connection: { kind: 'token' } })

  await screen.open('/account/plugins?error=denied')
  await page.getByText('you changed your mind there').waitFor()
  await screen.open('/account/plugins?error=%3Cb%3E')
  await page.getByText('is no sign-in').waitFor()
})

test.each(everySize)('one’s plugins at %s size: axe is content, and nothing is cut off at 320 pixels', async (size) => {
  await using screen = await app.screen({ size, language: 'de' })
  const { page } = screen
  await screen.open('/account/plugins')
  await page.getByText('Asks').waitFor()
  expect(await screen.jumps()).toEqual([])
  expect(await amissInBothSchemes(screen, 'own-plugins')).toEqual([])
  if (size === 'desktop') return
  await page.getByText('So richtest du es ein').click()
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await screen.picture('own-plugins-320')
})
