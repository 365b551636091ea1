import { afterAll, beforeAll, expect, test } from 'vitest'
import { reader } from './ebook-steps.ts'
import { type ReaderApp, startReaderApp } from './reader-books.ts'

let app: ReaderApp
beforeAll(async () => {
  app = await startReaderApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('Ctrl+K opens the palette over a comic; closed, one is on the same page with the same focus, and ? shows the keys', async () => {
  await using screen = await app.screen({ as: await reader(app, 'palette-keys') })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}`)
  await page.keyboard.press('ArrowRight')
  const count = page.getByTestId('page-count').getByText('2–3 of 8', { exact: true })
  await count.waitFor()
  const strip = page.getByRole('slider', { name: 'Page' })
  await strip.focus()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and go' })
  await palette.getByRole('combobox').waitFor()
  await screen.picture('reader-palette')
  // The address learns the page a moment after it was turned: that closes nothing.
  await page.waitForURL(/page=2/)
  expect(await screen.axe()).toEqual([])
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  await count.waitFor()
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe('slider')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard' })
  await keys.getByText('Pair pages up one later').waitFor()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await count.waitFor()
})

test('the palette leads from one book into another, and out of the book', async () => {
  await using screen = await app.screen({ as: await reader(app, 'palette-out') })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}`)
  const choose = async (text: string, name: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(text)
    await page.getByRole('option', { name }).first().click()
  }
  await choose('Manga One', /Manga One/)
  await page.waitForURL(new RegExp(app.idOf('Manga 1.cbz')))
  await page.getByRole('heading', { name: 'Manga One' }).waitFor()
  await choose('statistics', /Statistics/)
  await page.waitForURL(/\/statistics$/)
  await page.getByRole('heading', { name: 'Statistics' }).first().waitFor()
  expect(new URL(page.url()).pathname).toMatch(/\/statistics$/)
})
