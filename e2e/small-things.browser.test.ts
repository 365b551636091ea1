import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { epub } from '../packages/server/test/books/epub.ts'
import { pdfFile } from '../packages/server/test/books/pdf.ts'
import { libraryFolder } from '../packages/server/test/library-folder.ts'
import { testPassword } from '../packages/server/test/smoke/carrel.ts'
import { type App, scannedLibrary, settled, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp({
    books: [
      ...Array.from({ length: 12 }, (_, index) => ({
        path: `Salt/Salt v${String(index + 1).padStart(2, '0')}.cbz`,
        info: { Series: 'Salt', Volume: index + 1, CoverArtist: 'Ada Vaughan', Genre: 'Drama' },
      })),
      ...Array.from({ length: 14 }, (_, index) => ({
        path: `Number ${index + 1}/Number ${index + 1} v01.cbz`,
        info: { Series: `Number ${index + 1}`, Volume: 1 },
      })),
    ],
  })
})
afterAll(() => app[Symbol.asyncDispose]())

test('E9 whoever made the cover is said so in words', async () => {
  await using screen = await app.screen()
  const [book] = bodyOf(await app.admin.call(api.listBooks, { query: { sort: 'name,asc' } })).data.filter(
    ({ seriesName }) => seriesName === 'Salt',
  )
  await screen.open(`/books/${book?.id ?? ''}?tab=details`)
  await screen.page.getByText('cover artist').waitFor()
  expect(await screen.page.getByText('cover_artist').count()).toBe(0)
})

test.each(['/books/nonsense', '/series/nonsense', '/nowhere/at/all'])(
  'E9 a wrong address is a page with a heading that says so: %s',
  async (address) => {
    await using screen = await app.screen()
    screen.forgive(/40[04]|must be a UUID/)
    await screen.open(address)
    await screen.page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor()
    expect(await screen.page.getByText('UUID').count()).toBe(0)
    expect(await screen.axe()).toEqual([])
  },
)

test.each([1024, 1440])('E9 all tabs of the account are seen at %i pixels', async (width) => {
  await using screen = await app.screen({ language: 'de' })
  await screen.page.setViewportSize({ width, height: 800 })
  await screen.open('/account')
  const tabs = screen.page.getByRole('main').getByRole('navigation')
  const edge = await tabs.boundingBox()
  const last = await tabs.getByRole('link').last().boundingBox()
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((edge?.x ?? 0) + (edge?.width ?? 0) + 1)
  await screen.picture(`small-account-${width}`)
})

test('E9 what most people filter by is there without opening anything', async () => {
  await using screen = await app.screen({ scheme: 'dark' })
  const { page } = screen
  await screen.open('/series')
  await page.getByRole('button', { name: 'Filter' }).click()
  const filters = page.getByRole('region', { name: 'Filter' })
  await filters.getByRole('checkbox', { name: /Drama/ }).check()
  await page.getByText('1 series', { exact: true }).waitFor()
  await filters.getByRole('button', { name: 'Unread' }).waitFor()
  await screen.picture('small-filters')
  expect(await screen.axe()).toEqual([])
})

test('E9 twelve new volumes of a series are one card on the shelf of what is new', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  const shelf = page.getByRole('list', { name: 'Recently added', exact: true })
  const salt = shelf.getByRole('link').filter({ hasText: 'Salt' })
  await salt.waitFor()
  await expect.poll(() => salt.count()).toBe(1)
  expect(await salt.textContent()).toContain('12 volumes · 1–12')
  await salt.click()
  await page.getByRole('heading', { name: 'Salt', level: 1 }).waitFor()
})

test('E9 home asks for the covers that are seen, and for others as their shelf is pushed', async () => {
  await using screen = await app.screen()
  const { page, requests } = screen
  await screen.open('/')
  const shelf = page.getByRole('list', { name: 'Recently added' })
  await shelf.locator('img').first().waitFor({ state: 'attached' })
  await settled(page)
  const requestCount = (): number => requests.filter((address) => address.includes('/media/')).length
  const before = requestCount()
  expect(before).toBeLessThan(20)
  await screen.picture('small-home')

  const on = page.getByRole('button', { name: 'Recently added: on' })
  expect(await page.getByRole('button', { name: 'Recently added: back' }).isDisabled()).toBe(true)
  await on.click()
  await page.getByRole('button', { name: 'Recently added: back' }).isEnabled()
  await expect.poll(requestCount).toBeGreaterThan(before)
  expect(await screen.axe()).toEqual([])
})

test('E9 fingers push a shelf themselves: it has no arrows on a phone', async () => {
  await using screen = await app.screen({ size: 'phone' })
  await screen.open('/')
  expect(await screen.page.getByRole('button', { name: 'Recently added: on' }).count()).toBe(0)
})

test("E9 a stranger's first page is the sign-in, without an error in the console", async () => {
  await using screen = await app.screen({ as: null })
  await screen.open('/')
  await screen.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(screen.complaints).toEqual([])
})

test('who is not signed in signs in, and comes to where they wanted to go', async () => {
  await using screen = await app.screen({ as: null })
  screen.forgive(/401/)
  const { page } = screen

  await screen.open('/?from=here')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await screen.picture('sign-in')
  expect(await screen.axe()).toEqual([])
  await page.getByLabel('User name').fill('ana')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('User name or password is wrong.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Home' }).waitFor()
  expect(page.url()).toBe(`${app.carrel.url}/?from=here`)
})

test.each(['light', 'dark'] as const)('E9 the reference of the API wears our colours, %s', async (scheme) => {
  await using screen = await app.screen({ scheme })
  const { page } = screen
  await page.goto(`${app.carrel.url}/api/docs?area=Books`)
  await page
    .getByRole('link', { name: /^Books/ })
    .first()
    .waitFor()
  await page.locator('.opblock').first().waitFor()
  const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  expect(background).toBe(scheme === 'light' ? 'rgb(247, 247, 245)' : 'rgb(20, 22, 21)')
  expect(await screen.axe('color-contrast')).toEqual([])
  await screen.picture(`small-docs-${scheme}`)
})

test('E9 labels and values of a book stand on one line on a phone', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open('/books?view=table')
  await page.getByRole('row').filter({ hasText: 'Salt' }).getByRole('link').first().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByText('Hash', { exact: true }).waitFor()
  await settled(page)
  const apart = await page.evaluate<number[]>(`[...document.querySelectorAll('dl > dt')].map((label) => {
    const value = label.nextElementSibling
    const lineOf = (element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
      const range = document.createRange()
      range.selectNodeContents(value.querySelector('input') || !text ? element : text)
      const { bottom, top, left } = range.getClientRects()[0] ?? element.getBoundingClientRect()
      return { left, middle: (top + bottom) / 2 }
    }
    const [one, other] = [lineOf(label), lineOf(value)]
    return other.left - one.left > 20 ? Math.abs(one.middle - other.middle) : 0
  })`)
  expect(Math.max(...apart)).toBeLessThan(4)
  await screen.picture('small-events')
})

test('C21 the page of a book in two formats shows both, downloads each, and lets editors choose which is read', async () => {
  await using folder = await libraryFolder()
  await folder.write('Sanditon.epub', epub({ title: 'Sanditon' }))
  await folder.write('Sanditon.pdf', pdfFile({ pages: [{ text: ['Sanditon'] }, { text: ['The end'] }] }))
  const libraryId = await scannedLibrary(app.admin, folder.path, 'Two formats')
  const { data } = bodyOf(await app.admin.call(api.listBooksOfLibrary, { params: { id: libraryId } }))
  expect(data).toMatchObject([{ title: 'Sanditon', fileFormat: 'epub' }])
  const id = data[0]?.id ?? ''
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/books/${id}?tab=details`)
  await page.getByText(/^EPUB, /).waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('small-files')

  await page.getByRole('button', { name: 'More', exact: true }).click()
  const address = await page.getByRole('menuitem', { name: 'Download PDF' }).getAttribute('href')
  expect(address).toMatch(new RegExp(`/api/v1/books/${id}/file\\?file=`))
  await page.getByRole('menuitem', { name: 'Download EPUB' }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Read PDF instead' }).click()
  await page.getByText('PDF is read from now on.').waitFor()
  await page.getByRole('button', { name: 'Read EPUB instead' }).waitFor()
  const pages = async () => bodyOf(await app.admin.call(api.readBook, { params: { id } })).pageCount
  await expect.poll(pages).toBe(2)
  await screen.open(`/read/${id}`)
  await page.getByRole('img').first().waitFor()
})

/** It draws both, since what is mixed of two colours has no name that could be compared. */
const contrastOfFirstOff = `(() => {
  const track = document.querySelector('input[role="switch"]:not(:checked) + span')
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const lightness = (colour) => {
    context.fillStyle = colour
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--surface-raised')
  const [dark, light] = [getComputedStyle(track).backgroundColor, ground].map(lightness).toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
})()`

test.each(['light', 'dark'] as const)('A2 a switch that is off is seen as one, %s', async (scheme) => {
  await using screen = await app.screen({ scheme })
  await screen.open('/admin/settings')
  await screen.page.getByRole('switch', { checked: false }).first().waitFor({ state: 'attached' })
  await screen.picture(`settings-off-${scheme}`)
  expect(await screen.page.evaluate<number>(contrastOfFirstOff)).toBeGreaterThan(3)
})
