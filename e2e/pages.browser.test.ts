import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { claim, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { watchedPage } from './browser.ts'

/** `SCREENSHOTS=folder` keeps what the tests saw, for people to look at. */
const keepPicture = async (page: Page, name: string): Promise<void> => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) })
}

const elsewhere = (requests: readonly string[], url: string): string[] =>
  requests.filter((address) => new URL(address).origin !== new URL(url).origin && !address.startsWith('data:'))

test.each(['', '/books'])(
  'at "%s" the app opens under any address of its own, from our own files alone, without a complaint of the browser',
  async (basePath) => {
    await using folder = await temporaryFolder()
    await using carrel = await startCarrel({ cwd: folder.path, env: { CARREL_BASE_PATH: basePath } })
    const ana = await claim(carrel)
    await using watched = await watchedPage()
    const { page, complaints, requests } = watched
    const [name = '', value = ''] = ana.cookie.split('=')
    await page.context().addCookies([{ name, value, url: carrel.url }])

    await page.goto(`${carrel.url}/`)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await page.title()).toBe('Home · Carrel')
    await keepPicture(page, `start${basePath.replace('/', '-')}`)
    await page.goto(`${carrel.url}/nowhere/at-all`)
    await page.getByRole('link', { name: 'To the start' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(page.url()).toBe(`${carrel.url}/`)
    await page.goBack()
    await page.getByText('There is no such page').waitFor()

    expect(complaints).toEqual([])
    expect(elsewhere(requests, carrel.url)).toEqual([])
    expect(requests.filter((address) => !address.startsWith(`${carrel.url}/`))).toEqual([])
  },
)

test('HTTP-7 the reference lists the operations, opens one and tries it out, from our own files alone', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })
  await using watched = await watchedPage()
  const { page, complaints, requests } = watched

  await page.goto(`${carrel.url}/api/docs`)
  const areas = page.getByRole('navigation', { name: 'Areas' })
  expect(await page.title()).toBe('Carrel: API reference')
  const names = (await areas.getByRole('link').allTextContents()).map((text) => text.replace(/ \d+$/, ''))
  expect(names).toEqual(expect.arrayContaining(['Info', 'Libraries', 'Books', 'Reading']))
  await areas.getByRole('link', { name: /^Books \d+$/ }).click()
  await page.locator('.opblock').nth(9).waitFor()
  await keepPicture(page, 'reference')
  // A path is found by a part of it, and opened beside the list.
  await areas.getByRole('searchbox', { name: 'Find a path' }).fill('books adjacent')
  await areas
    .getByRole('status')
    .getByText(/^\d+ paths?$/)
    .waitFor()
  await areas.locator('[data-operation=getBooksIdAdjacent]').click()
  await page.locator('.opblock.is-open[id$="-getBooksIdAdjacent"]').waitFor()
  // An address of one operation finds its area.
  await page.goto(`${carrel.url}/api/docs#/Info`)
  await page.reload()
  await page.locator('.info .title').filter({ hasText: 'Carrel' }).waitFor()
  expect(await areas.locator('[aria-current]').textContent()).toMatch(/^Info \d+$/)

  const info = page.locator('.opblock', { has: page.locator('[data-path="/api/v1/info"]') })
  await info.locator('.opblock-summary').click()
  await info.getByRole('button', { name: 'Try it out' }).click()
  await info.getByRole('button', { name: 'Execute' }).click()
  const reply = info.locator('.live-responses-table .response')
  await reply.waitFor()
  await info.scrollIntoViewIfNeeded()
  await keepPicture(page, 'reference-tried-out')
  expect(await reply.locator('.response-col_status').textContent()).toContain('200')
  expect(await reply.locator('.response-col_description').textContent()).toContain('"apiVersion": "2.2.0"')

  expect(complaints).toEqual([])
  expect(elsewhere(requests, carrel.url)).toEqual([])
})

test('HTTP-7 with CARREL_DOCS_ENABLED=false there is no reference', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: { CARREL_DOCS_ENABLED: 'false' } })

  expect((await fetch(`${carrel.url}/api/docs`)).status).toBe(404)
})
