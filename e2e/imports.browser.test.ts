import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLanraragi } from '../packages/server/test/recording-servers.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword } from '../packages/server/test/smoke/carrel.ts'
import { type App, startApp } from './app.ts'

const backup = fileURLToPath(
  new URL('../packages/server/test/stores/mihon/app.mihon_2026-08-01_12-00.tachibk', import.meta.url),
)
let app: App
let path = ''
beforeAll(async () => {
  app = await startApp({
    books: [
      { path: 'Iron Garden/Iron Garden 001.cbz', pages: 13 },
      { path: 'Iron Garden/Iron Garden 002.cbz', pages: 9 },
    ],
  })
  path = join(app.carrel.dataDir, 'mine.tachibk')
  await copyFile(backup, path)
})
afterAll(() => app[Symbol.asyncDispose]())

const readBooks = async (): Promise<number> => {
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: {} }))
  return data.filter(({ readProgress }) => readProgress?.completed === true).length
}

test('G1 C25 somebody reads what another server holds, takes a part of it over, and takes that back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/admin')
  await page.getByRole('link', { name: 'Moving in' }).first().click()
  await page.getByText('Nothing has been read yet').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('imports-empty')

  await page.getByLabel('Server').selectOption({ label: 'Mihon, Tachiyomi' })
  await page.getByText('ending in .tachibk').waitFor()
  await page.getByLabel('File or folder').fill('/nowhere/at/all.tachibk')
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('Failed', { exact: true }).waitFor()
  await page.getByText('There is nothing there that could be read. A backup of the app').waitFor()

  await page.getByRole('link', { name: 'Moving in' }).first().click()
  await page.getByLabel('Server').selectOption({ label: 'Mihon, Tachiyomi' })
  await page.getByLabel('File or folder').fill(path)
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'What is not taken' }).waitFor()
  await page.getByText('States of reading: 2', { exact: true }).waitFor()
  await page.getByRole('list', { name: 'People' }).getByText('Is here already.').waitFor()
  await expect.poll(() => page.getByText('There is no such book here.').count()).toBe(8)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => page.getByText('There is no such book here.').count()).toBe(50)
  await screen.picture('import-ready')
  expect(await screen.axe()).toEqual([])

  await page.getByLabel('Ratings and reviews').uncheck()
  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByText('Taken over', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'What was taken' }).waitFor()
  await page.getByText('States and times of reading: 2', { exact: true }).waitFor()
  expect(await readBooks()).toBe(2)
  expect(bodyOf(await app.admin.call(api.listRatings, { query: {} })).total).toBe(0)

  await page.getByRole('button', { name: 'Take it back' }).click()
  await page.getByText('Taken back', { exact: true }).waitFor()
  expect(await readBooks()).toBe(0)
  // It has gone, and a task tells of itself before this page is told: with a task everything is asked again that tasks change.
  let hasGone = false
  const answered = page.waitForResponse((response) => hasGone && response.url().includes('/api/v1/libraries?'))
  await page.route(/\/api\/v1\/imports\//, async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue()
    const response = await route.fetch()
    hasGone = true
    bodyOf(await app.admin.call(api.scanLibrary, { params: { id: app.libraryId }, body: {} }))
    await answered
    return route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Forget the report' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Forget the report' }).click()
  await page.getByRole('heading', { name: 'Moving in' }).waitFor()
})

test('C25 why nothing can be read is said in the language of whoever reads it', async () => {
  const source = { path: join(app.carrel.dataDir, 'carrel.db') }
  const { importId } = bodyOf(await app.admin.call(api.startImport, { body: { kind: 'kavita', source } }))
  await using screen = await app.screen({ language: 'de' })
  await screen.open(`/admin/imports/${importId}`)
  await screen.page.getByText('Was dort liegt, ist nichts von Kavita.').waitFor()
  expect(await screen.page.getByRole('main').getByText('This is no database of Kavita').count()).toBe(0)
})

test('C25 a file is sent from the browser', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open('/admin/imports')
  await page.getByLabel('Server').selectOption({ label: 'Mihon, Tachiyomi' })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Send a file from here' }).click(),
  ])
  await chooser.setFiles(backup)
  await page.getByText('Ready', { exact: true }).waitFor()
  await screen.picture('import-phone-dark')
  expect(await screen.axe()).toEqual([])
})

test('C25 a server that runs is asked by its address, with a key that is not shown again', async () => {
  await using other = await startLanraragi('the key', new Map())
  const value = ['localhost']
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/admin/imports')
  await page.getByLabel('Server').selectOption({ label: 'LANraragi' })
  await page.getByLabel('Read from').selectOption({ label: 'Its address' })
  await page.getByLabel('Address', { exact: true }).fill(other.url)
  await page.getByLabel('API key').fill('the key')
  screen.forgive(/400/)
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByRole('alert').first().waitFor()
  await screen.picture('import-address-refused')
  bodyOf(await app.admin.call(api.saveSetting, { params: { key: 'imports.allowed_hosts' }, body: { value } }))
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByText('Version 0.9.81').waitFor()
  expect(await page.content()).not.toContain('the key')
})

test('C25 who may not administer finds no way there', async () => {
  const body = { username: 'noa', password: testPassword, role: 'reader' } as const
  bodyOf(await app.admin.call(api.createUser, { body }))
  await using screen = await app.screen({ as: await signIn(app.carrel, 'noa') })
  screen.forgive(/This page is for others/)
  await screen.open('/admin/imports')
  await screen.page.getByRole('heading', { name: 'Not for you' }).waitFor()
  expect(screen.requests.filter((address) => address.includes('/api/v1/imports'))).toEqual([])
})
