import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, settled, startApp } from './app.ts'

const long = 'The Salt Merchant Who Crossed the Frozen Sea Twice and Came Back With Nothing but His Name'
const titles: Readonly<Record<number, string>> = { 1: 'Tide', 5: long, 15: 'Anchor', 25: 'Moor' }

let app: App
beforeAll(async () => {
  app = await startApp({
    books: [
      ...Object.entries(titles).map(([number, Title]) => ({
        path: `Salt/Salt v${number.padStart(2, '0')}.cbz`,
        info: { Series: 'Salt', Title, Volume: Number(number), Number: Number(number), Writer: 'Ada Vaughan' },
      })),
      ...[1, 2].map((number) => ({
        path: `Salt (1950)/Salt (1950) v0${number}.cbz`,
        info: { Series: 'Salt', Volume: number },
      })),
      { path: 'Alone/Alone.cbz', info: { Series: 'Alone', Title: 'Alone', Writer: 'Bram Stoker' } },
    ],
  })
  const [alone] = bodyOf(await app.admin.call(api.listBooks, { query: { sort: 'name,asc' } })).data
  const params = { id: alone?.id ?? '' }
  bodyOf(await app.admin.call(api.editBookMetadata, { params, body: { bookType: 'oneshot' } }))
})
afterAll(() => app[Symbol.asyncDispose]())

const seriesPage = async (page: Page): Promise<void> => {
  await page.getByRole('article').filter({ hasText: '4 books' }).first().getByRole('link').click()
  await page.getByRole('heading', { name: 'Salt', level: 1 }).waitFor()
  await page.getByRole('article').nth(3).waitFor()
  await settled(page)
}

/** It reads the line of each card that begins with the number. */
const cardTitles = (page: Page): Promise<string[]> =>
  page.getByRole('article').locator('a > span:nth-child(2)').allTextContents()

const inOrder = ['1 Tide', `5 ${long}`, '15 Anchor', '25 Moor']

test('E1 a series lists its volumes by number, says so, and comes back to that from any other order', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series')
  await seriesPage(page)
  const order = page.getByRole('combobox', { name: 'Sort by' })
  expect(await order.inputValue()).toBe('number')
  expect(await cardTitles(page)).toEqual(inOrder)

  await page.getByRole('button', { name: 'Ascending; turn around' }).click()
  await page.getByRole('article').first().filter({ hasText: 'Moor' }).waitFor()
  expect(await cardTitles(page)).toEqual(inOrder.toReversed())
  await page.getByRole('button', { name: 'Descending; turn around' }).click()
  await page.getByRole('article').first().filter({ hasText: 'Tide' }).waitFor()
  await order.selectOption('name')
  await page.getByRole('article').first().filter({ hasText: 'Anchor' }).waitFor()
  await order.selectOption('number')
  await page.getByRole('article').first().filter({ hasText: 'Tide' }).waitFor()
  expect(await cardTitles(page)).toEqual(inOrder)
  expect(
    screen.requests.some((address) => address.includes('sort=number%2Casc') || address.includes('sort=number,asc')),
  ).toBe(true)
})

test('E1 a list that was searched is by what fits best, and says so', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/books?q=salt')
  const order = page.getByRole('combobox', { name: 'Sort by' })
  expect(await order.locator('option:checked').textContent()).toBe('Best match')
  await order.selectOption('name')
  await settled(page)
  expect(new URL(page.url()).searchParams.get('sort')).toBe('name')
  await order.selectOption('')
  await settled(page)
  expect(new URL(page.url()).searchParams.get('sort')).toBeNull()
})

test.each([
  { size: 'desktop', scheme: 'light', width: 1440, language: 'en' },
  { size: 'phone', scheme: 'dark', width: 320, language: 'de' },
] as const)('E2 the number is seen wherever a book is named, at $width pixels in $language', async (chosen) => {
  await using screen = await app.screen(chosen)
  const { page } = screen
  await page.setViewportSize({ width: chosen.width, height: 800 })
  await screen.open('/books?sort=name')
  const card = page.getByRole('article').filter({ hasText: 'Merchant' })
  await card.waitFor()
  expect(await card.locator('a > span:nth-child(2)').textContent()).toBe(`5 ${long}`)
  expect(await card.locator('a > span:nth-child(3)').textContent()).toBe('Salt')
  const alone = page.getByRole('article').filter({ hasText: 'Alone' })
  expect(await alone.locator('a > span:nth-child(3)').textContent()).toContain('Bram Stoker')
  await screen.picture(`names-books-${chosen.width}`)
  await screen.open('/books?sort=name&view=table')
  await page
    .getByRole('row')
    .filter({ hasText: 'Merchant' })
    .getByRole('link', { name: `5 · ${long}` })
    .waitFor()
  await screen.picture(`names-table-${chosen.width}`)

  await page.getByRole('row').filter({ hasText: 'Tide' }).getByRole('link').click()
  await page.getByRole('heading', { name: '1 · Tide', level: 1 }).waitFor()
  await settled(page)
  expect(await page.title()).toBe('Salt 1 · Tide · Carrel')
  await page.getByRole('navigation').getByText(`5 · ${long}`).waitFor()
  await screen.picture(`names-book-${chosen.width}`)
  expect(await screen.axe()).toEqual([])
})

test('E2 volumes without a title of their own are called by their number, in the language of the reader', async () => {
  await using screen = await app.screen({ language: 'de' })
  const { page } = screen
  await screen.open('/series')
  await page.getByRole('article').filter({ hasText: '2 Bücher' }).getByRole('link').click()
  await page.getByRole('article').nth(1).waitFor()
  await page.getByRole('heading', { name: 'Salt', level: 1 }).waitFor()
  await page.getByRole('article').filter({ hasText: 'Band 2' }).waitFor()
  expect(await cardTitles(page)).toEqual(['1 Band 1', '2 Band 2'])
  await page.getByRole('article').filter({ hasText: 'Band 2' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Salt 2', level: 1 }).waitFor()
})

test.each([320, 1440])('E2 the reader and what comes next say the number, at %i pixels', async (width) => {
  await using screen = await app.screen(width === 320 ? { size: 'phone', scheme: 'dark' } : {})
  const { page } = screen
  await page.setViewportSize({ width, height: 800 })
  await screen.open('/books?sort=name&view=table')
  const link = page.getByRole('row').filter({ hasText: 'Tide' }).getByRole('link')
  const id = (await link.getAttribute('href'))?.split('/').at(-1) ?? ''
  await screen.open(`/read/${id}?page=3`)
  expect(await page.title()).toBe('Salt 1 · Tide · Carrel')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('1 · Tide')
  await page.keyboard.press('ArrowRight')
  const end = page.getByRole('region', { name: 'The end' })
  await end.getByText(`5 · ${long}`).waitFor()
  await screen.picture(`names-next-${width}`)
  await end.getByRole('button', { name: 'Read on' }).click()
  const heading = page.getByRole('heading', { level: 1, name: `5 · ${long}` })
  await heading.waitFor()
  // The title is cut, the number is not.
  const number = heading.getByText('5', { exact: true })
  const [inner, outer] = [await number.boundingBox(), await heading.boundingBox()]
  expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0))
  expect(await number.evaluate('this, true')).toBe(true)
  await screen.picture(`names-reader-${width}`)
})

test.each([
  { size: 'desktop', scheme: 'light', width: 1440 },
  { size: 'phone', scheme: 'dark', width: 320 },
] as const)(
  'E3 suggestions tell books of one name apart by cover, number and series, at $width pixels',
  async (chosen) => {
    await using screen = await app.screen(chosen)
    const { page } = screen
    await page.setViewportSize({ width: chosen.width, height: 800 })
    await screen.open('/search')
    await page.getByRole('button', { name: 'Search or jump to…' }).click()
    const box = page.getByRole('combobox', { name: 'Search or jump to…' })
    await box.fill('salt')
    const options = page.getByRole('listbox', { name: 'Hits' }).getByRole('option')
    await options.filter({ hasText: 'The Salt Merchant' }).waitFor()
    await options.filter({ hasText: 'Anchor' }).waitFor()
    const texts = (await options.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(new Set(texts).size).toBe(texts.length)
    const number = texts.find((text) => text.includes('Anchor'))
    expect(number).toMatch(/^15 Anchor Salt · 3 pages Comics/)
    expect(texts.filter((text) => /^Salt (?:2 books|Ada|1950)/.test(text))).toHaveLength(2)
    const hits = page.getByRole('group', { name: /^(Series|Books)$/ })
    await hits.locator('img').first().waitFor()
    expect(await hits.locator('img').count()).toBe(await hits.getByRole('option').count())
    await screen.picture(`names-suggestions-${chosen.width}`)
    expect(await screen.axe()).toEqual([])
    expect(await screen.jumps()).toEqual([])

    const at = texts.findIndex((text) => text === number)
    for (let press = 0; press < at; press += 1) await page.keyboard.press('ArrowDown')
    expect(await options.nth(at).getAttribute('aria-selected')).toBe('true')
    expect(await box.getAttribute('aria-activedescendant')).toBe(await options.nth(at).getAttribute('id'))
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: '15 · Anchor', level: 1 }).waitFor()
  },
)
