import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { type App, type Screen, scannedLibrary, startApp } from './app.ts'

let app: App
let komga: LibraryFolder
let publishers: LibraryFolder

const numbered = async (folder: LibraryFolder, series: string, below: string, from = 1): Promise<void> => {
  for (const number of [from, from + 1, from + 2]) {
    const name = `${series} ${String(number).padStart(3, '0')}.cbz`
    await folder.write(`${below}/${name}`, comic({ seed: number, pages: 1 }))
  }
}

beforeAll(async () => {
  app = await startApp({ books: [] })
  komga = await libraryFolder()
  for (const [series, publisher] of [
    ['Saga', 'Image'],
    ['Monstress', 'Image'],
    ['Batman', 'DC'],
  ] as const)
    await numbered(komga, series, `${publisher}/${series}`)
  publishers = await libraryFolder()
  for (const [series, publisher, first, second] of [
    ['Hawkeye', 'Marvel', 'Weapon', 'Hits'],
    ['Thor', 'Marvel', 'Ragnarok', 'Asgard'],
    ['Saga', 'Image', 'Dawn', 'Dusk'],
    ['Monstress', 'Image', 'Awakening', 'Blood'],
  ] as const) {
    await numbered(publishers, series, `${publisher}/${series}/${first}`)
    await numbered(publishers, series, `${publisher}/${series}/${second}`, 4)
  }
})
afterAll(async () => {
  await komga[Symbol.asyncDispose]()
  await publishers[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const choose = async ({ page }: Screen, { path }: LibraryFolder): Promise<void> => {
  await page.getByRole('button', { name: 'Add a folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a folder' })
  await dialog.getByRole('button', { name: '/', exact: true }).click()
  for (const name of path.split('/').slice(1)) await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.getByText(path, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Take this folder' }).click()
}

const isNarrowEnough = async ({ page }: Screen): Promise<boolean> => {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (size) await page.setViewportSize(size)
  return width <= 320
}

test('C21 folders as Komga has them get `folder`, with why; another way is doubted in words', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open('/libraries/new')
  await choose(screen, komga)

  const best = page.getByRole('radio', { name: /Fits best/ })
  await page.getByText('The books that lie in one folder belong together.').waitFor()
  expect(await best.isChecked()).toBe(true)
  expect(await best.getAttribute('value')).toBe('folder')
  await page.getByText('9 books → 3 series').waitFor()
  await page.getByText('Saga 001.cbz · Saga 002.cbz · Saga 003.cbz').waitFor()
  expect(await page.getByRole('list', { name: 'What speaks against it' }).count()).toBe(0)
  await screen.picture('grouping-komga-phone')

  await page.getByRole('radio', { name: 'Each folder at the top is a series' }).check()
  await page.getByText('9 books → 2 series').waitFor()
  await page.getByText('“Image” would hold 2 number sequences.').waitFor()
  expect(await best.isChecked()).toBe(false)
  expect(await screen.axe()).toEqual([])
  expect(await isNarrowEnough(screen)).toBe(true)
  await page.getByRole('heading', { name: 'Preview' }).scrollIntoViewIfNeeded()
  await screen.picture('grouping-doubted-phone')
})

test('C21 a tree of publishers gets their levels, which can be said otherwise', async () => {
  await using screen = await app.screen()
  screen.forgive(/4(00|22)/)
  const { page } = screen
  await screen.open('/libraries/new')
  await choose(screen, publishers)

  await page.getByText('The first folders are publishers, and those in them are series.').waitFor()
  const best = page.getByRole('radio', { name: /Fits best/ })
  expect(await best.isChecked()).toBe(true)
  expect(await page.getByRole('radio').first().getAttribute('value')).toBe('publisher_folders')
  await page.getByText('24 books → 4 series').waitFor()
  const second = page.getByLabel('Level 2 of the folders')
  expect(await second.inputValue()).toBe('series')
  await screen.picture('grouping-publishers-desktop')

  await page.getByRole('button', { name: 'Add a level' }).click()
  await page.getByLabel('Level 3 of the folders').selectOption('Series')
  await page.getByText('Exactly one level is the series, and only skipped ones may be there twice.').waitFor()
  await page.getByText('No preview yet').waitFor()
  await screen.picture('grouping-levels-refused-desktop')
  await second.selectOption('Nothing in particular')
  await page.getByText('24 books → 8 series').waitFor()
  expect(await screen.axe()).toEqual([])
  expect(await isNarrowEnough(screen)).toBe(true)

  await page.getByRole('button', { name: 'Remove level 3' }).click()
  await second.selectOption('Series')
  await page.getByText('24 books → 4 series').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('By publishers')
  await page.getByRole('button', { name: 'Add the library' }).click()
  await page.getByText('By publishers is being looked through.').waitFor()
  const { data } = bodyOf(await app.admin.call(api.listLibraries, {}))
  expect(data.find(({ name }) => name === 'By publishers')?.grouping).toEqual({
    policy: 'publisher_folders',
    config: { levels: ['publisher', 'series'] },
  })
})

test('C21 a pattern that cannot be read is refused at its field, and shows what it makes once it can', async () => {
  await using screen = await app.screen({ scheme: 'dark' })
  screen.forgive(/4(00|22)/)
  const { page } = screen
  await screen.open('/libraries/new')
  await choose(screen, komga)
  await page.getByText('9 books → 3 series').waitFor()
  await page.getByRole('radio', { name: 'A pattern says it' }).check()
  await page.getByText('No preview yet').waitFor()
  expect(await page.getByRole('button', { name: 'Add the library' }).isDisabled()).toBe(true)
  const field = page.getByRole('textbox', { name: 'Pattern' })
  await field.fill('^(?<series>[^/]+')
  await page.getByText('Carrel cannot use this pattern.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await screen.axe()).toEqual([])
  await screen.picture('grouping-pattern-refused-dark')

  await field.fill('^(?<series>[^/]+)/')
  await page.getByText('9 books → 2 series').waitFor()
  expect(await field.getAttribute('aria-invalid')).not.toBe('true')
})

test('C21 a library says what another way would change before it is taken, and which way fits best', async () => {
  const id = await scannedLibrary(app.admin, komga.path, 'Comics')
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open(`/admin/libraries/${id}/settings`)
  await page.getByRole('button', { name: 'Which way fits best?' }).click()
  const best = page.getByRole('radio', { name: /Fits best/ })
  await best.waitFor()
  expect(await best.isChecked()).toBe(true)

  await page.getByRole('radio', { name: 'Each folder at the top is a series' }).check()
  const change = page.getByRole('region', { name: 'What would change' })
  await change.getByText('3 series become 2.').waitFor()
  await change.getByText('“Image” would hold 2 number sequences.').waitFor()
  await change.getByText('9 books move to another series.').waitFor()
  const gone = change.getByRole('list', { name: 'Series that would go' }).getByRole('listitem')
  await expect.poll(() => gone.count()).toBe(3)
  const came = change.getByRole('list', { name: 'Series that would come' }).getByRole('listitem')
  await expect.poll(() => came.count()).toBe(2)
  expect(await screen.axe()).toEqual([])
  expect(await isNarrowEnough(screen)).toBe(true)
  await change.scrollIntoViewIfNeeded()
  await screen.picture('grouping-difference-phone')

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Comics is saved').waitFor()
  await waitUntil('the books to be grouped anew', async () => {
    const { total } = bodyOf(await app.admin.call(api.listSeries, { query: { libraryId: id } }))
    return total === 2 ? total : undefined
  })
})
