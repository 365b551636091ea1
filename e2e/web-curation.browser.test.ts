import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { png } from '../packages/server/test/books/pictures.ts'
import { comic } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { type App, scannedLibrary, settled, startApp } from './app.ts'

let app: App
let libraryId: string
beforeAll(async () => {
  app = await startApp({ books: [] })
  const info = (Series: string, Number: number) => ({
    comicInfo: comicInfoXml({ Series, Number, Genre: 'Drama', StoryArc: 'The Duel', StoryArcNumber: 4 - Number }),
  })
  const files = {
    'Twins/Twins 1.cbz': comic({ seed: 1, pages: 4, ...info('Twins', 1) }),
    'Twins/Twins 2.cbz': comic({ seed: 2, pages: 5, ...info('Twins', 2) }),
    'TWINS!/Twins 3.cbz': comic({ seed: 3, pages: 3, ...info('TWINS', 3) }),
    'Copies/First.cbz': comic({ seed: 4, pages: 3 }),
    'Copies/Second.cbz': comic({ seed: 4, pages: 3 }),
  }
  for (const [path, bytes] of Object.entries(files)) await app.folder.write(path, bytes)
  libraryId = await scannedLibrary(app.admin, app.folder.path)
})
afterAll(() => app[Symbol.asyncDispose]())

const titles = async (): Promise<readonly string[]> =>
  bodyOf(await app.admin.call(api.listSeries, {})).data.map(({ title }) => title)

test('a cover is taken from a page, uploaded, chosen, and each is taken back', async () => {
  const { data } = bodyOf(await app.admin.call(api.listBooks, {}))
  const id = data.find(({ title }) => title.includes('2'))?.id ?? ''
  const covers = async () => bodyOf(await app.admin.call(api.listBookCovers, { params: { id } }))
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/books/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Choose cover' }).click()
  const automatic = page.getByRole('button', { name: 'As the book says' })
  await page.getByRole('button', { name: 'Page 3', exact: true }).click()
  await page.getByRole('button', { name: /Page 3.*×/ }).waitFor()
  expect((await covers()).find(({ isSelected }) => isSelected)).toMatchObject({ source: 'page', page: 3 })
  const picture = png({ width: 400, height: 600 })
  await page.getByLabel('Picture to upload').setInputFiles({ name: 'own.png', mimeType: 'image/png', buffer: picture })
  const uploaded = page.getByRole('button', { name: /^Uploaded/ })
  await uploaded.waitFor()
  expect(await uploaded.getAttribute('aria-pressed')).toBe('true')
  await settled(page)
  await screen.picture('cover-desktop-light')
  expect(await screen.axe()).toEqual([])

  await automatic.click()
  await page.getByText('Cover chosen').waitFor()
  await page.getByRole('button', { name: 'As the book says', pressed: true }).waitFor()
  expect((await covers()).filter(({ isSelected }) => isSelected).map(({ source }) => source)).not.toContain('upload')
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await page.locator('[aria-pressed=true]').filter({ hasText: 'Uploaded' }).waitFor()
  const ofPage = page.getByRole('listitem').filter({ hasText: 'Page 3' }).filter({ hasText: '×' })
  await ofPage.getByRole('button', { name: 'Delete cover' }).click()
  await ofPage.waitFor({ state: 'detached' })
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).last().click()
  await ofPage.waitFor()
  await waitUntil('the uploaded one is chosen again', async () =>
    (await covers()).some(({ source, isSelected }) => source === 'upload' && isSelected),
  )
  await page.getByRole('listitem').filter({ hasText: 'Uploaded' }).getByRole('button', { name: 'Delete cover' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete cover' }).click()
  await uploaded.waitFor({ state: 'detached' })
})

test('covers of a series on a phone in the dark: any page of any of its books', async () => {
  const { data } = bodyOf(await app.admin.call(api.listSeries, {}))
  const id = data.find(({ bookCount }) => bookCount === 2)?.id ?? ''
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open(`/series/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Choose cover' }).click()
  await page.getByRole('button', { name: 'Page 1', exact: true }).waitFor()
  await settled(page)
  await screen.picture('cover-phone-dark')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await page.getByText('Page 2 is the cover').waitFor()
})

test('C20 a list is made of what files say once the library is told to, and follows again after a change', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/admin/libraries/${libraryId}/settings`)
  await page.getByRole('switch', { name: 'Make lists of what the files say' }).check({ force: true })
  await page.getByRole('button', { name: 'Save' }).click()
  const list = await waitUntil('the list', async () => {
    const { data } = bodyOf(await app.admin.call(api.listReadLists, {}))
    return data.find(({ name, bookCount }) => name === 'The Duel' && bookCount === 3)
  })
  const params = { id: list.id }
  await screen.open(`/read-lists/${list.id}`)
  await page.getByText('it follows them until you change it').waitFor()
  expect(await page.getByRole('button', { name: 'Follow the files again' }).count()).toBe(0)
  const { data: books } = bodyOf(await app.admin.call(api.listBooksOfReadList, { params, query: {} }))
  expect(books.map(({ title }) => title.at(-1))).toEqual(['3', '2', '1'])
  const [first] = books
  bodyOf(await app.admin.call(api.removeFromReadList, { params: { ...params, bookId: first?.id ?? '' } }))
  await page.getByText('it follows them no longer').waitFor()
  await settled(page)
  await screen.picture('list-from-files-changed')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Follow the files again' }).click()
  await page.getByText('it follows them until you change it').waitFor()
  await page.getByText('3 books').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('it follows them until you change it').waitFor()
  await page.getByText('3 books').waitFor()
  bodyOf(await app.admin.call(api.updateLibrary, { params: { id: libraryId }, body: { listsFromFiles: false } }))
})

test('series that are the same are merged and parted again, dismissed and listed again', async () => {
  const before = await titles()
  await using screen = await app.screen()
  const { page } = screen
  // The merged entry is gone a moment before the list says so.
  screen.forgive(/404/)
  await screen.open('/duplicates')
  await page.getByRole('button', { name: 'Look for duplicates' }).click()
  const group = page.getByRole('region', { name: '2 series of the same title' })
  await group.waitFor()
  await settled(page)
  await screen.picture('duplicates-desktop-light')
  expect(await screen.axe()).toEqual([])
  await group.getByRole('button', { name: 'Not duplicates' }).click()
  await page.getByText('No duplicates').waitFor()
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).last().click()
  await group.waitFor()
  await group.getByRole('radio', { name: /^TWINS/ }).click()
  await group.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('Merged: 2 books moved').waitFor()
  await group.waitFor({ state: 'detached' })
  expect((await titles()).filter((title) => title.toLowerCase() === 'twins')).toEqual(['TWINS'])
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).last().click()
  await waitUntil('the series are as before', async () => JSON.stringify(await titles()) === JSON.stringify(before))
})

test('books that hold the same, on a phone in the dark', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  screen.forgive(/404/)
  // Where no series are the same, the page begins with the books that are.
  const { duplicates } = bodyOf(await app.admin.call(api.listSeriesDuplicates, {}))
  for (const { id } of duplicates) bodyOf(await app.admin.call(api.dismissSeriesDuplicates, { params: { id } }))
  await screen.open('/duplicates')
  await page.getByRole('radio', { name: 'Books 1' }).and(page.locator(':checked')).waitFor({ state: 'attached' })
  const group = page.getByRole('region', { name: '2 books with the very same file' })
  await group.waitFor()
  await settled(page)
  await screen.picture('duplicates-phone-dark')
  expect(await screen.axe()).toEqual([])
  await group.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('2 books are one now').waitFor()
  await group.waitFor({ state: 'detached' })
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await group.waitFor()
})

test('many are edited together: shown before, done, and taken back; a lock keeps what it locks', async () => {
  const { data } = bodyOf(await app.admin.call(api.listSeries, {}))
  const locked = data.find(({ title }) => title === 'Twins')?.id ?? ''
  await app.admin.call(api.editSeriesMetadata, { params: { id: locked }, body: { publisherLock: true } })
  const publishers = async () =>
    bodyOf(await app.admin.call(api.listSeries, {}))
      .data.map(({ publisher }) => publisher)
      .toSorted((one, other) => (one ?? '').localeCompare(other ?? ''))
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/search/advanced?where=title~twins')
  await page.getByRole('link', { name: 'Edit all of these' }).click()
  await page.getByRole('heading', { name: 'Edit many series' }).waitFor()
  await page.getByLabel('Change a field').selectOption('Publisher')
  await page.getByRole('textbox', { name: 'Publisher' }).fill('Both Press')
  await page.getByLabel('Change a field').selectOption('Tags')
  await page.getByLabel('Tags', { exact: true }).last().fill('twofold')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Show what would change' }).click()
  await page.getByText('2 of 2 would change. Locks keep something in 1.').waitFor()
  expect(await publishers()).toEqual(expect.not.arrayContaining(['Both Press']))
  await screen.picture('bulk-edit-desktop-light')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Change 2' }).click()
  await page.getByText('2 changed. Locks keep something in 1.').waitFor()
  expect((await publishers()).filter((publisher) => publisher === 'Both Press')).toHaveLength(1)
  await page.getByRole('button', { name: 'Undo all of it' }).click()
  await page.getByText('2 are as they were.').waitFor()
  expect(await publishers()).toEqual(expect.not.arrayContaining(['Both Press']))
})
