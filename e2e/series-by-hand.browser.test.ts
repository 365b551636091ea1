import * as api from '@carrel/api'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { amissInBothSchemes, type App, type Screen, settled, startApp } from './app.ts'

const book = (folder: string, number: number, Series = folder) => ({
  path: `${folder}/${folder} ${number}.cbz`,
  info: { Series, Number: number, Title: `${folder} part ${number}` },
})

let app: App
beforeAll(async () => {
  app = await startApp({
    books: [...[1, 2, 3, 7].map((number) => book('Saga', number)), book('Sagas', 5), book('Sagas', 6), book('Sage', 1)],
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const seriesNow = async (): Promise<Readonly<Record<string, number>>> => {
  const { data } = bodyOf(await app.admin.call(api.listSeries, { query: { pageSize: 100 } }))
  return Object.fromEntries(data.map(({ title, bookCount }) => [title, bookCount]))
}

const before = { Saga: 4, Sagas: 2, Sage: 1 }

const idOf = async (title: string): Promise<string> => {
  const { data } = bodyOf(await app.admin.call(api.listSeries, { query: { pageSize: 100 } }))
  return data.find((series) => series.title === title)?.id ?? ''
}

const booksOf = async (title: string) =>
  bodyOf(await app.admin.call(api.listBooks, { query: { seriesId: await idOf(title), sort: 'number,asc' } })).data

/** The boxes are chosen as with a mouse: the first shows the others. */
const select = async (page: Page, names: readonly RegExp[]): Promise<Locator> => {
  for (const name of names) await page.getByRole('checkbox', { name }).check({ force: true })
  return page.getByRole('region', { name: 'Selection' })
}

const undo = async ({ page }: Screen): Promise<void> => {
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('It is as it was.').waitFor()
}

const noWider = async ({ page }: Screen): Promise<void> => {
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320)
}

test('C22 chosen books are moved to another series: said before, done, and taken back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(await idOf('Saga')))
  const bar = await select(page, [/Saga part 1/, /Saga part 2/])
  await screen.picture('hand-bar')
  await bar.getByRole('button', { name: 'Move to series…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move to series' })
  await dialog.getByLabel('Find a series').fill('Sage')
  await dialog.getByRole('button', { name: /^Sage/ }).click()
  await dialog.getByText('2 books go to “Sage”.').waitFor()
  expect(await seriesNow()).toEqual(before)
  expect(await amissInBothSchemes(screen, 'hand-move')).toEqual([])
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('2 books are in “Sage” now.').waitFor()
  expect(await seriesNow()).toEqual({ ...before, Saga: 2, Sage: 3 })
  await page.getByRole('checkbox', { name: /Saga part 1/ }).waitFor({ state: 'detached' })

  await undo(screen)
  expect(await seriesNow()).toEqual(before)
  await page.getByRole('checkbox', { name: /Saga part 1/ }).waitFor({ state: 'attached' })
})

test('what is chosen stands beside the navigation, however wide the window is', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(await idOf('Saga')))
  const bar = await select(page, [/Saga part 1/])
  for (const width of [1920, 1280, 1100, 800]) {
    await page.setViewportSize({ width, height: 800 })
    if (width === 800) await screen.picture('hand-bar-800')
    const [side, chosen] = [await page.locator('nav').first().boundingBox(), await bar.boundingBox()]
    expect({ width, isBeside: (chosen?.x ?? 0) >= (side?.x ?? 0) + (side?.width ?? width) }).toEqual({
      width,
      isBeside: true,
    })
    expect((chosen?.x ?? 0) + (chosen?.width ?? 0)).toBeLessThanOrEqual(width)
    // On one line, or picture and word above each other: no word is broken.
    expect((chosen?.height ?? 0) < 80 ? [] : [width, chosen?.height]).toEqual([])
    const overflow = await bar.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect({ width, overflow }).toEqual({ width, overflow: 0 })
  }
})

test('C22 all books of a series go into a new one, whose page comes instead of the empty one, and back', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  // Whoever looks at a series while it is emptied asks for it once more, and hears that it is not there.
  screen.forgive(/404/)
  const id = await idOf('Sagas')
  await screen.open(paths.series(id))
  await page.getByRole('button', { name: 'Sort and filter' }).click()
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  const shelf = page.getByRole('grid', { name: 'Books of Sagas' })
  for (const name of [/Sagas part 5/, /Sagas part 6/]) await shelf.getByRole('link', { name }).click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await screen.picture('hand-bar-phone')
  await noWider(screen)
  await screen.picture('hand-bar-320')
  await bar.getByRole('button', { name: 'Move to series…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Find a series').fill('Brand new')
  await dialog.getByRole('button', { name: 'New series “Brand new”' }).click()
  await dialog.getByLabel('New files of this folder too').check()
  await dialog.getByText('2 books go to “Brand new”, and “Sagas” will be empty.').waitFor()
  await noWider(screen)
  expect(await amissInBothSchemes(screen, 'hand-move-new')).toEqual([])
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('heading', { name: 'Brand new' }).waitFor()
  expect(await seriesNow()).toEqual({ Saga: 4, Sage: 1, 'Brand new': 2 })

  await undo(screen)
  await page.getByRole('heading', { name: 'Sagas' }).waitFor()
  expect(await seriesNow()).toEqual(before)
})

test('C22 some books of a series are split off, called as the server would unless somebody says so', async () => {
  await using screen = await app.screen({ scheme: 'dark' })
  const { page } = screen
  await screen.open(paths.series(await idOf('Saga')))
  const bar = await select(page, [/Saga part 3/, /Saga part 7/])
  await bar.getByRole('button', { name: 'Split off…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 books go to “Saga (2)”.').waitFor()
  expect(await dialog.getByLabel('Title of the new series').getAttribute('placeholder')).toBe('Saga (2)')
  await dialog.getByLabel('Title of the new series').fill('Saga, later')
  await dialog.getByText('2 books go to “Saga, later”.').waitFor()
  expect(await amissInBothSchemes(screen, 'hand-split')).toEqual([])
  await dialog.getByRole('button', { name: 'Split off' }).click()
  await page.getByText('2 books are in “Saga, later” now.').waitFor()
  expect(await seriesNow()).toEqual({ ...before, Saga: 2, 'Saga, later': 2 })

  await undo(screen)
  expect(await seriesNow()).toEqual(before)
})

test('C22 series are merged into the one with most books, or another', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.seriesList())
  const bar = await select(page, [/Select Saga$/])
  expect(await bar.getByRole('button', { name: 'Merge…' }).isDisabled()).toBe(true)
  await select(page, [/Select Sage$/])
  await bar.getByRole('button', { name: 'Merge…' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('radio', { name: 'Saga' }).isChecked()).toBe(true)
  await dialog.getByText('1 book goes to “Saga”, and “Sage” will be gone.').waitFor()
  await dialog.getByRole('radio', { name: 'Sage' }).check()
  await dialog.getByText('4 books go to “Sage”, and “Saga” will be gone.').waitFor()
  expect(await amissInBothSchemes(screen, 'hand-merge')).toEqual([])
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('4 books are in “Sage” now.').waitFor()
  expect(await seriesNow()).toEqual({ Sagas: 2, Sage: 5 })

  await undo(screen)
  expect(await seriesNow()).toEqual(before)
})

test('C22 a book is dragged onto a series; one that is chosen takes the others along', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.search({ q: 'Sag' }))
  const target = page.locator(`a[href$="${paths.series(await idOf('Sage'))}"]`).first()
  const [one, two] = await booksOf('Saga')
  const dragged = page.locator(`a[href$="${paths.book(one?.id ?? '')}"]`).first()
  await dragged.scrollIntoViewIfNeeded()
  await dragged.dragTo(target)
  const dialog = page.getByRole('dialog', { name: 'Move to series' })
  await dialog.getByText('1 book goes to “Sage”.').waitFor()
  await screen.picture('hand-drag')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('1 book is in “Sage” now.').waitFor()
  expect(await seriesNow()).toEqual({ ...before, Saga: 3, Sage: 2 })
  await undo(screen)
  expect(await seriesNow()).toEqual(before)

  await screen.open(paths.series(await idOf('Saga')))
  await select(page, [/Saga part 1/, /Saga part 2/])
  const inHand = await page.evaluate<string>(`(() => {
    const dataTransfer = new DataTransfer()
    const link = document.querySelector('a[href$="${paths.book(two?.id ?? '')}"]')
    link.dispatchEvent(new DragEvent('dragstart', { bubbles: true, dataTransfer }))
    return dataTransfer.getData('application/x-carrel-books')
  })()`)
  expect((JSON.parse(inHand) as { id: string }[]).map(({ id }) => id)).toEqual([one?.id, two?.id])
})

test('C22 on the page of a series, who drags a book is offered series to drop it on, and any other', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(await idOf('Saga')))
  const [one] = await booksOf('Saga')
  const dragged = page.locator(`a[href$="${paths.book(one?.id ?? '')}"]`).first()
  const panel = page.getByRole('region', { name: 'Drop the books on a series' })
  const dialog = page.getByRole('dialog', { name: 'Move to series' })
  const drag = async (onto: string): Promise<void> => {
    await dragged.scrollIntoViewIfNeeded()
    await dragged.hover()
    await page.mouse.down()
    await page.mouse.move(400, 300, { steps: 5 })
    await panel.getByRole('listitem').filter({ hasText: onto }).hover()
    await page.mouse.up()
    await dialog.waitFor()
    await panel.waitFor({ state: 'detached' })
  }

  await drag('Sage')
  await dialog.getByText('1 book goes to “Sage”.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await drag('Another series')
  await dialog.getByLabel('Find a series').fill('Sagas')
  await dialog.getByRole('button', { name: /^Sagas/ }).click()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('1 book is in “Sagas” now.').waitFor()
  expect(await seriesNow()).toEqual({ ...before, Saga: 3, Sagas: 3 })
  await undo(screen)
  expect(await seriesNow()).toEqual(before)
})

test('C22 what is put by hand is listed, said on the book, and put back', async () => {
  const [one] = await booksOf('Saga')
  const id = one?.id ?? ''
  bodyOf(await app.admin.call(api.moveBooks, { body: { bookIds: [id], seriesId: await idOf('Sage'), follow: true } }))
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.book(id))
  await page.getByRole('link', { name: 'Details', exact: true }).click()
  await page.getByText('otherwise in “Saga”').waitFor()
  await screen.picture('hand-placement')
  await page.getByRole('link', { name: /put it here on/ }).click()
  await page.getByRole('heading', { name: 'Put by hand' }).waitFor()
  await settled(page)
  const rows = page.getByRole('list', { name: 'Put by hand' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await amissInBothSchemes(screen, 'hand-overrides')).toEqual([])
  await rows
    .filter({ hasText: 'Saga part 1' })
    .getByRole('button', { name: /^Put back/ })
    .click()
  await page.getByText(/is where the library puts it/).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  expect(await seriesNow()).toEqual(before)
  await undo(screen)
  await expect.poll(() => rows.count()).toBe(2)
  expect(await seriesNow()).toEqual({ ...before, Saga: 3, Sage: 2 })

  for (const [left, name] of [/^Put back.*part 1/, /^Put back/].entries()) {
    await page.getByRole('button', { name }).first().click()
    await expect.poll(() => rows.count()).toBe(1 - left)
  }
  await page.getByText('Nothing is put by hand').waitFor()
  expect(await seriesNow()).toEqual(before)
})

test('C22 a series says what it lacks in one line, and nothing where nothing is missing', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(await idOf('Saga')))
  await page.getByRole('link', { name: 'Details', exact: true }).click()
  await page.getByText('4–6 are not here · 4 of 7').waitFor()
  await screen.picture('hand-gaps')
  await screen.open(paths.series(await idOf('Sage')))
  expect(await page.getByText('not here').count()).toBe(0)
})

test('C22 what stands in the way of a merge is said in the words of the user', async () => {
  const id = await idOf('Sage')
  const access = { ageCeiling: 12, includeUnrated: false }
  const body = { username: 'child', password: 'a password of a child', role: 'reader' as const, access }
  bodyOf(await app.admin.call(api.createUser, { body }))
  bodyOf(await app.admin.call(api.editSeriesMetadata, { params: { id }, body: { ageRating: 6 } }))
  await using screen = await app.screen({ language: 'de' })
  screen.forgive(/409/)
  const { page } = screen
  await screen.open(paths.seriesList())
  for (const name of [/^Saga auswählen$/, /^Sage auswählen$/])
    await page.getByRole('checkbox', { name }).check({ force: true })
  await page.getByRole('button', { name: /^Zusammenlegen/ }).click()
  await page.getByText('Einige dieser Serien haben eine Altersfreigabe und andere nicht').waitFor()
  await screen.picture('hand-merge-refused')
  bodyOf(await app.admin.call(api.editSeriesMetadata, { params: { id }, body: { ageRating: null } }))
  expect(await seriesNow()).toEqual(before)
})
