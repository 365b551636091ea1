import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EbookApp, startEbookApp } from './ebook-books.ts'

let app: EbookApp
beforeAll(async () => {
  app = await startEbookApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const gotIt = (page: Page) => {
  page.setDefaultTimeout(10_000)
  return page.getByRole('button', { name: 'Got it' }).click()
}

test('opens', async () => {
  await using screen = await app.screen({})
  const { page } = screen
  await screen.open(`/read/${app.idOf('Novel 1.epub')}`)
  await screen.picture('ebook-open')
  await gotIt(page)
  console.log(screen.complaints)
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.getByTestId('where').textContent()).not.toBe('0 %')
  await screen.picture('ebook-turned')
  console.log(await page.getByTestId('where').textContent(), page.url())
})

test('vertical', async () => {
  await using screen = await app.screen({})
  const { page } = screen
  await screen.open(`/read/${app.idOf('Neko 1.epub')}`)
  await gotIt(page)
  await screen.picture('ebook-vertical')
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.getByTestId('where').textContent()).not.toMatch(/^0 %/)
  await screen.picture('ebook-vertical-turned')
  console.log(await page.getByTestId('where').textContent(), page.url())
})
test('phone', async () => {
  await using screen = await app.screen({ size: 'phone', look: 'dark' })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Novel 1.epub')}`)
  await gotIt(page)
  await screen.picture('ebook-phone')
  await page.touchscreen.tap(370, 400)
  await page.touchscreen.tap(370, 400)
  await screen.picture('ebook-phone-turned')
  console.log(await page.getByTestId('where').textContent(), page.url())
  await page.touchscreen.tap(200, 400)
  await page.getByRole('button', { name: 'How you read' }).click()
  await screen.picture('ebook-phone-settings')
})
