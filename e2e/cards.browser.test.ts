import * as api from '@carrel/api'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { type App, type Screen, settled, startApp } from './app.ts'

const salt = [1, 2, 3, 4].map((number) => ({
  path: `Salt/Salt v0${number}.cbz`,
  pages: 4,
  info: { Series: 'Salt', Volume: number, Title: ['Tide', 'Anchor', 'Moor', 'Buoy'][number - 1] ?? '', Writer: 'Ada' },
}))
const others = [
  { title: 'Kettle', genre: 'Drama', year: 1999, count: 2 },
  { title: 'Lamp', genre: 'Drama, Comedy', year: 2004, count: 1 },
  { title: 'Mirror', genre: 'Comedy', year: 2010, count: 1 },
].flatMap(({ title, genre, year, count }) =>
  Array.from({ length: count }, (_, index) => ({
    path: `${title}/${title} v${index + 1}.cbz`,
    info: { Series: title, Volume: index + 1, Genre: genre, Year: year },
  })),
)

let app: App
beforeAll(async () => {
  app = await startApp({ books: [...salt, ...others] })
})
afterAll(() => app[Symbol.asyncDispose]())

const seriesId = async (title: string): Promise<string> => {
  const { data } = bodyOf(await app.admin.call(api.listSeries, { query: { pageSize: 100 } }))
  return data.find((series) => series.title === title)?.id ?? ''
}
const readOf = async (title: string): Promise<readonly number[]> => {
  const query = { seriesId: await seriesId(title), sort: 'number,asc' } as const
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query }))
  return data.flatMap(({ readProgress, volume }) => (readProgress?.completed === true ? [volume ?? 0] : []))
}

const card = (page: Page, title: string): Locator => page.getByRole('article').filter({ hasText: title })
const isFocused = (locator: Locator): Promise<boolean> => locator.evaluate((element) => element.matches(':focus'))
const undo = async (page: Page): Promise<void> => {
  await page
    .getByRole('button', { name: /^(Undo|Rückgängig)/ })
    .first()
    .click()
}

test('G1 G2 on a phone the number is seen on every card, and no title is repeated below itself', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open('/books?sort=series')
  const cards = page.getByRole('article')
  await cards.nth(7).waitFor()
  for (const each of await cards.all()) {
    await each.scrollIntoViewIfNeeded()
    const number = each.locator('b')
    const [chip, card] = [await number.boundingBox(), await each.boundingBox()]
    expect((chip?.width ?? 0) > 10 && (chip?.x ?? 0) >= (card?.x ?? 0)).toBe(true)
    expect((chip?.x ?? 0) + (chip?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0))
    expect(await number.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    const [title, below] = await each
      .locator('a > span')
      .allTextContents()
      .then((texts) => texts.slice(1))
    expect(below).not.toBe(title?.replace(/^\d+ /, ''))
  }
  await screen.picture('cards-phone')
  expect(await screen.axe()).toEqual([])
})

test('G3 what a card offers stands beside its link, and is reached and left by keyboard', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series')
  const link = card(page, 'Kettle').getByRole('link')
  await link.focus()
  await page.keyboard.press('Tab')
  const read = page.getByRole('button', { name: 'Read Kettle' })
  expect(await isFocused(read)).toBe(true)
  expect(await screen.axe()).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('All books of the series are marked as read.').waitFor()
  expect(await readOf('Kettle')).toEqual([1, 2])
  await page.getByRole('link', { name: /^Kettle.*Read$/ }).waitFor()
  await undo(page)
  await expect.poll(() => readOf('Kettle')).toEqual([])
  await page.getByRole('heading', { level: 1 }).click()
  await read.waitFor({ state: 'detached' })
})

test('G3 a mouse reads on in a series without its page', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series')
  await card(page, 'Salt').hover()
  await page.getByRole('button', { name: 'Read Salt' }).click()
  await page.waitForURL(/\/read\//)
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  const [first] = bodyOf(
    await app.admin.call(api.listBooks, { query: { seriesId: await seriesId('Salt'), sort: 'number,asc' } }),
  ).data
  expect(new URL(page.url()).pathname).toBe(paths.read(first?.id ?? ''))
})

test('G4 the menu of a card opens by keyboard, is gone through, and gives the focus back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(await seriesId('Salt')))
  const link = card(page, 'Moor').getByRole('link')
  await link.focus()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu')
  await menu.waitFor()
  expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
    'Read',
    'Mark as read',
    'Mark read up to here',
    'Want to read',
    'Add to a read list',
    'Edit',
    'Download',
    'Move to series…',
    'Why is it in this series?',
  ])
  expect(await screen.axe()).toEqual([])
  await screen.picture('cards-menu')
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  expect(await isFocused(link)).toBe(true)

  await page.keyboard.press('ContextMenu')
  await menu.waitFor()
  await expect.poll(() => isFocused(menu.getByRole('menuitem').first())).toBe(true)
  for (const name of ['Mark as read', 'Mark read up to here']) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => isFocused(menu.getByRole('menuitem', { name, exact: true }))).toBe(true)
  }
  await page.keyboard.press('Enter')
  await page.getByText('3 books are marked as read.').waitFor()
  expect(await readOf('Salt')).toEqual([1, 2, 3])
  await undo(page)
  await expect.poll(() => readOf('Salt')).toEqual([])
})

test('G4 the other button of the mouse opens it where it points, also in a table, and for all that are chosen', async () => {
  await using screen = await app.screen({ language: 'de' })
  const { page } = screen
  await screen.open('/series?view=table')
  const row = page.getByRole('row').filter({ hasText: 'Lamp' })
  await row.getByRole('gridcell').last().click({ button: 'right' })
  const menu = page.getByRole('menu')
  await menu.getByRole('menuitem', { name: 'Will ich lesen' }).click()
  await page.getByText('Steht jetzt auf deiner Liste.').waitFor()
  await undo(page)

  await screen.open('/series')
  for (const name of [/Kettle/, /Lamp/]) await page.getByRole('checkbox', { name }).check({ force: true })
  await card(page, 'Kettle').click({ button: 'right' })
  expect(await menu.getByRole('menuitem', { name: 'Lesen', exact: true }).count()).toBe(0)
  await menu.getByRole('menuitem', { name: 'Als gelesen markieren' }).click()
  await page.getByText('2 Serien sind als gelesen markiert.').waitFor()
  expect(await readOf('Lamp')).toEqual([1])
  await undo(page)
  await expect.poll(() => readOf('Lamp')).toEqual([])
  await card(page, 'Mirror').click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Lesen', exact: true }).waitFor()
})

test('G4 a finger that stays opens it as a sheet, and follows no link', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open('/series')
  const box = await card(page, 'Lamp').boundingBox()
  const touchPoints = [{ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 60 }]
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  const sheet = page.getByRole('dialog', { name: /Lamp/ })
  await sheet.waitFor()
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await sheet.getByRole('button', { name: 'Mark as read' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/series')
  await screen.picture('cards-sheet')
  expect(await screen.axe()).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await sheet.getByRole('button', { name: 'Mark as read' }).click()
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => readOf('Lamp')).toEqual([1])
  await undo(page)
  await expect.poll(() => readOf('Lamp')).toEqual([])
})

test('C22 the menu says why a book is in its series', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/books')
  await card(page, 'Anchor').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Why is it in this series?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Salt 2 · Anchor' })
  await dialog.getByText(/because of its folder|because its file says so/).waitFor()
  await dialog.getByRole('link', { name: 'Salt' }).waitFor()
  expect(await screen.axe()).toEqual([])
})

const openFilter = async ({ page }: Screen): Promise<Locator> => {
  await page.getByRole('button', { name: /^Filter/ }).click()
  const filters = page.getByRole('region', { name: 'Filter' })
  await filters.getByRole('checkbox', { name: /^Drama/ }).waitFor()
  return filters
}

test('D1 D2 D3 filters act beside the list: in, out, and by year; counts agree with it, Escape gives the focus back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series')
  const filters = await openFilter(screen)
  const drama = filters.getByRole('checkbox', { name: /Drama/ })
  expect(await drama.textContent()).toContain('2')
  await drama.click()
  await page.getByText('2 series', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
  await card(page, 'Kettle').waitFor()
  expect(await screen.axe()).toEqual([])
  await drama.click()
  await page.getByText('2 series', { exact: true }).waitFor()
  await card(page, 'Mirror').waitFor()
  expect(new URL(page.url()).search).toBe('?genre=-Drama')
  expect(await drama.getAttribute('aria-checked')).toBe('mixed')
  await page.getByRole('button', { name: 'Take away “not Genre: Drama”' }).click()
  await page.getByText('4 series', { exact: true }).waitFor()
  await filters.getByRole('searchbox').fill('come')
  await filters.getByRole('checkbox', { name: /^Comedy/ }).click()
  await page.getByText('2 series', { exact: true }).waitFor()
  await drama.waitFor({ state: 'detached' })
  await filters.getByRole('searchbox').press('Escape')
  await filters.waitFor({ state: 'detached' })
  expect(await isFocused(page.getByRole('button', { name: /^Filter/ }))).toBe(true)
})

test('D1 an open filter is there again on the next list, without anything moving', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series')
  await openFilter(screen)
  await screen.open('/books')
  await page.getByRole('region', { name: 'Filter' }).getByText('Genre', { exact: true }).waitFor()
  await settled(page)
  expect(await screen.jumps()).toEqual([])
})

test('D4 on a phone filters are a sheet: as wide as it, for fingers, and it says how many are left', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await page.setViewportSize({ width: 320, height: 640 })
  await screen.open('/series')
  await page.getByRole('button', { name: /^Filter/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter' })
  const drama = sheet.getByRole('checkbox', { name: /Drama/ })
  await drama.click()
  expect((await drama.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(40)
  const show = sheet.getByRole('button', { name: 'Show 2 series' })
  await show.waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await screen.picture('cards-filter-phone')
  expect(await screen.axe()).toEqual([])
  await show.click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByText('2 series', { exact: true }).waitFor()
})

test('a table shows the columns that one chooses, keeps them, and is put in order by its heads', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series?view=table')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Library' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Author' }).click()
  await page.keyboard.press('Escape')
  const heads = (): Promise<string[]> => page.getByRole('columnheader').allTextContents()
  const chosen = ['Title', 'Year', 'Books', 'Unread', 'Progress', 'Library', 'Added']
  expect(await heads()).toEqual(chosen)
  await page.reload()
  await page.getByRole('columnheader').first().waitFor()
  expect(await heads()).toEqual(chosen)
  await page.getByRole('columnheader', { name: 'Books' }).getByRole('button').click()
  await settled(page)
  const first = page.getByRole('gridcell').first()
  await expect.poll(() => first.textContent()).toContain('Salt')
  expect(await page.getByRole('columnheader', { name: 'Books' }).getAttribute('aria-sort')).toBe('descending')
  const progress = page.getByRole('row').filter({ hasText: 'Salt' }).getByRole('progressbar')
  expect(await progress.getAttribute('aria-label')).toBe('Unread')
  await screen.picture('cards-table')
  expect(await screen.axe()).toEqual([])
})
