import { createHash } from 'node:crypto'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { plainRequest } from '../packages/server/test/plain-request.ts'
import { amissInBothSchemes, type App, everySize, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp({ books: [] })
})
afterAll(() => app[Symbol.asyncDispose]())

const agent = 'KOReader/2026.08'
const ask = (path: string, headers: Record<string, string>) =>
  plainRequest(`${app.carrel.url}${path}`, { headers: { 'user-agent': agent, ...headers } })
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

test('KOR-1 W12 an app is set up in place: the address and a key, then what it did and what went wrong', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  await page.getByRole('link', { name: 'Apps', exact: true }).click()
  await page.getByText('No app has come by yet').waitFor()
  const sync = page.getByRole('listitem').filter({ hasText: 'KOReader: where you are' })
  expect(await sync.getByLabel('Address').inputValue()).toBe(`${app.carrel.url}/koreader`)
  const komga = page.getByRole('listitem').filter({ hasText: 'Apps made for Komga' })
  await komga.getByText('Closed').waitFor()
  await komga.getByRole('link', { name: 'It can be opened in the settings.' }).waitFor()
  const name = await page.getByLabel('User name').inputValue()

  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await dialog.getByLabel('Name').fill('<b>E-reader</b> 📚')
  await dialog.getByRole('button', { name: 'New key' }).click()
  const key = await dialog.getByLabel('Key').inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const signedIn = await ask('/koreader/users/auth', { 'x-auth-user': name, 'x-auth-key': md5(key) })
  expect(signedIn.status).toBe(200)
  await ask('/koreader/syncs/progress/one', { 'x-auth-user': name, 'x-auth-key': md5(key) })
  await ask('/koreader/syncs/progress/2', { 'x-auth-user': name, 'x-auth-key': md5(key) })
  await ask('/koreader/syncs/progress/3', { 'x-auth-user': name, 'x-auth-key': md5(key) })
  await page.getByRole('button', { name: 'Look again' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'key “<b>E-reader</b> 📚”' })
  await row.getByText('Works').waitFor()
  await row.getByText('Last requests').press('Enter')
  await row.getByText('GET /koreader/syncs/progress/3').waitFor()
  await row.getByText('200 · 2 times').waitFor()
  await screen.picture('apps-works')

  await ask('/koreader/users/auth', { 'x-auth-user': name, 'x-auth-key': md5('my password') })
  await page.getByRole('button', { name: 'Look again' }).click()
  const failing = page.getByRole('listitem').filter({ hasText: 'not signed in' })
  await failing.getByText('Fails').waitFor()
  await failing.getByText('KOReader sent a password that is none of your API keys.').waitFor()

  const file = await fetch(`${app.carrel.url}/koreader/webdav/statistics.sqlite3`, {
    method: 'PUT',
    headers: { 'x-api-key': key },
    body: 'no statistics at all',
  })
  expect(file.status).toBe(201)
  const intake = async () => (await app.admin.call(api.readStatisticsIntake, {})).status
  await expect.poll(intake).toBe(200)
  await page.reload()
  await page.getByText('could not be read').waitFor()

  await using german = await app.screen({ language: 'de' })
  await german.open('/account/apps')
  await german.page.getByRole('heading', { name: 'Was deine Apps zuletzt getan haben' }).waitFor()
})

test.each(everySize)('the page of apps at %s size: axe is content, nothing jumps', async (size) => {
  bodyOf(await app.admin.call(api.saveSetting, { params: { key: 'compat.enabled' }, body: { value: true } }))
  await using screen = await app.screen({ size })
  const { page } = screen
  await screen.open('/account/apps')
  await screen.picture(`apps-top-${size}`)
  await page.getByText('Last requests').first().click()
  expect(await amissInBothSchemes(screen, 'apps')).toEqual([])
  expect(await screen.jumps()).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
})
