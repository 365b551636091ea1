import { rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epub } from '../packages/server/test/books/epub.ts'
import { comic } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { amissInBothSchemes, type App, scannedLibrary, type Screen, settled, startApp } from './app.ts'

const lantern = 'The Lantern Keeper'
const summary = 'On an island that no map shows the last lantern is kept alight. '.repeat(12)

let app: App
let lanternId: string
let volumes: readonly api.BookDto[]
let novel: api.BookDto
beforeAll(async () => {
  app = await startApp({
    books: [
      ...[1, 2, 3, 4, 5, 6, 8, 9, 10, 13].map((volume) => ({
        path: `${lantern}/${lantern} v${String(volume).padStart(2, '0')}.cbz`,
        pages: 3,
        info: {
          Series: lantern,
          Volume: volume,
          Writer: 'Haruka Mizuno',
          CoverArtist: 'Ines Maro',
          Publisher: 'Kitsune Press',
          Genre: 'Adventure, Drama',
          Tags: 'sea, letters, found family, slow burn, tower, lamps, storm',
          Year: 2008 + volume,
          ...(volume === 4 && { Summary: summary }),
        },
      })),
      {
        path: 'Tsuki/Tsuki v01.cbz',
        info: { Series: 'Tsuki', Volume: 1, Writer: 'Haruka Mizuno', Penciller: 'Ines Maro', Genre: 'Comedy' },
      },
      {
        path: 'Tide/Tide v01.cbz',
        info: { Series: 'Tide', Volume: 1, Writer: 'Lou Vasse', Genre: 'Adventure, Drama' },
      },
    ],
  })
  const chapters = Array.from({ length: 12 }, (_, index) => ({ title: `Letter ${index + 1}` }))
  const metadata = '<dc:creator>Bram Stoker</dc:creator><dc:language>en</dc:language>'
  await app.folder.write('../novels-of-this/Dracula.epub', epub({ title: 'Dracula', chapters, words: 900, metadata }))
  await scannedLibrary(app.admin, app.folder.in('../novels-of-this'), 'Novels')
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 100, sort: 'number,asc' } }))
  volumes = data
    .filter(({ seriesName }) => seriesName === lantern)
    .toSorted((one, other) => (one.volume ?? 0) - (other.volume ?? 0))
  lanternId = volumes[0]?.seriesId ?? ''
  const match = data.find(({ title }) => title === 'Dracula')
  if (!match) throw new Error('There is no novel')
  novel = match
  for (const volume of volumes.slice(0, 2))
    bodyOf(await app.admin.call(api.markBookRead, { params: { id: volume.id } }))
  bodyOf(await app.admin.call(api.saveProgress, { params: { id: volumes[2]?.id ?? '' }, body: { currentPage: 2 } }))
})
afterAll(() => app[Symbol.asyncDispose]())

const bottomOf = async (locator: Locator): Promise<number> => {
  const box = await locator.boundingBox()
  return box ? box.y + box.height : Infinity
}
const cards = (screen: Screen) => screen.page.getByRole('grid', { name: `Books of ${lantern}` }).getByRole('gridcell')

test('V1 V3 V5 a series at 1440 × 900: a head of 400 pixels, the first row of volumes in view, in the order of their numbers', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await page.setViewportSize({ width: 1440, height: 900 })
  await screen.open(paths.series(lanternId))
  await cards(screen).first().waitFor()
  await settled(page)
  await screen.picture('work-series')
  const about = await page
    .getByRole('heading', { level: 1 })
    .locator('xpath=ancestor::header/div[last()]')
    .boundingBox()
  expect(about?.height).toBeLessThanOrEqual(400)
  expect(await bottomOf(cards(screen).first())).toBeLessThanOrEqual(900)
  const tabs = page.getByRole('navigation', { name: `Parts of ${lantern}` })
  const names = await tabs.getByRole('link').allTextContents()
  expect(names).toEqual(['Volumes10', 'Related2', 'Your reading', 'Details'])
  // The tools beside the tabs end above the line below them.
  expect(await bottomOf(page.getByLabel('Sort by'))).toBeLessThan((await bottomOf(tabs)) - 2)
  // Labels with their values stand behind the tabs, but for how the reader is with it.
  expect(await page.getByText('Publisher', { exact: true }).count()).toBe(0)
  await page.getByText('2009–2021').waitFor()
  await page.getByText('You have read').waitFor()
  expect(await screen.jumps()).toEqual([])
  expect(await amissInBothSchemes(screen, 'work-series')).toEqual([])
})

test('V3 gaps stand among the volumes, and Continue leads to the page one is at', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(lanternId))
  await page.getByRole('img', { name: 'Volume 7 is missing' }).waitFor()
  await page.getByRole('img', { name: 'Volumes 11–12 are missing' }).waitFor()
  const labels = await cards(screen).evaluateAll((cells) =>
    cells.map((cell) => cell.querySelector('[role=img]')?.ariaLabel ?? /\d+/.exec(cell.textContent ?? '')?.[0] ?? ''),
  )
  expect(labels.slice(5, 12)).toEqual(['6', 'Volume 7 is missing', '8', '9', '10', 'Volumes 11–12 are missing', '13'])
  // In another order there are none.
  await page.getByLabel('Sort by').selectOption({ label: 'Date added' })
  await page.getByRole('img', { name: 'Volume 7 is missing' }).waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('link', { name: 'Continue Volume 3 · p. 2' }).click()
  await page.getByRole('img', { name: 'Page 2' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(paths.read(volumes[2]?.id ?? ''))
})

test('V2 a series on a phone: volumes and Continue in view, which goes while one scrolls down and comes back', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open(paths.series(lanternId))
  await cards(screen).first().waitFor()
  await settled(page)
  await screen.picture('work-series-phone')
  const go = page.getByRole('link', { name: 'Continue Volume 3 · p. 2' })
  const box = await go.boundingBox()
  expect(box?.y).toBeLessThan(844)
  const covers = cards(screen).locator('img')
  for (const index of [0, 1, 2]) expect(await bottomOf(covers.nth(index))).toBeLessThanOrEqual(box?.y ?? 0)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => go.count()).toBe(0)
  await page.mouse.wheel(0, -60)
  await go.waitFor()
  await page.getByRole('button', { name: 'Sort and filter' }).click()
  await page.getByLabel('Sort by').waitFor()
  expect(await screen.axe()).toEqual([])
})

test('V4 a summary that one volume has is the summary of the series, three lines of it until more is wanted', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(lanternId))
  const text = page.getByText(/^.*On an island that no map shows/).first()
  const heightOf = async () => (await text.boundingBox())?.height ?? 0
  expect(await heightOf()).toBeLessThanOrEqual(73)
  await page.getByRole('button', { name: 'Show more' }).click()
  expect(await heightOf()).toBeGreaterThan(73)
  await page.getByRole('button', { name: 'Show less' }).click()
  expect(await heightOf()).toBeLessThanOrEqual(73)
})

test('V1 behind the tabs: what is related, what the reader did, and all facts with who says them and where files are', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(lanternId))
  const tabs = page.getByRole('navigation', { name: `Parts of ${lantern}` })
  await tabs.getByRole('link', { name: /^Related/ }).click()
  await page.getByRole('heading', { name: 'Also by Haruka Mizuno' }).waitFor()
  await page.getByRole('link', { name: /^Tsuki/ }).waitFor()
  await page.getByRole('heading', { name: 'More like this' }).waitFor()
  await page.getByRole('link', { name: /^Tide/ }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=related')
  expect(await screen.axe()).toEqual([])
  await tabs.getByRole('link', { name: 'Your reading' }).click()
  await page.getByRole('heading', { name: 'Last read' }).waitFor()
  await page.getByRole('group', { name: 'Your rating' }).getByLabel('4 stars').click({ force: true })
  await page.getByRole('img', { name: 'Your rating: 4' }).waitFor()
  expect(await screen.axe()).toEqual([])
  await tabs.getByRole('link', { name: 'Details' }).click()
  await page.getByText('10 of 10 books say so').first().waitFor()
  await page.getByText(`${lantern} v13.cbz`).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Where it comes from' }).waitFor()
  expect(await screen.axe()).toEqual([])
})

test('N1 N2 N3 a novel is reached at once, names its author, and a chapter of it leads to reading there', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.library(novel.libraryId))
  const card = page.getByRole('link', { name: /^Dracula.*Bram Stoker/ })
  expect(await card.getAttribute('href')).toBe(paths.book(novel.id))
  await card.click()
  await page.getByRole('heading', { name: 'Dracula', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Bram Stoker' }).waitFor()
  const contents = page.getByRole('list').filter({ hasText: 'Letter 1' })
  await contents.getByRole('link', { name: /^Letter 8/ }).waitFor()
  await expect.poll(() => contents.getByRole('link').count()).toBe(8)
  await settled(page)
  expect(await amissInBothSchemes(screen, 'work-novel')).toEqual([])
  await page.getByRole('button', { name: 'All 12 chapters' }).click()
  await contents.getByRole('link', { name: /^Letter 9/ }).click()
  await page.getByTestId('book').waitFor()
  // The ninth of twelve chapters of one length begins after two thirds.
  await expect.poll(() => Number(new URL(page.url()).searchParams.get('at'))).toBeCloseTo(8 / 12, 1)
  await page.getByTestId('book').press('ArrowRight')
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => url.pathname === paths.book(novel.id))
  await settled(page)
  // How far one is in it is a share: its twelve files are no pages.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Dracula')
  await page
    .getByRole('option', { name: /Dracula.*\d %|Dracula.*\d%/ })
    .first()
    .waitFor()
  expect(await page.getByRole('option', { name: /of 12/ }).count()).toBe(0)
})

test('C1 a read list goes on with what comes next in its order, marks it, and says how far one is', async () => {
  const list = bodyOf(await app.admin.call(api.createReadList, { body: { name: 'Crossing', ordered: true } }))
  const bookIds = [volumes[1], volumes[4], volumes[0]].flatMap((volume) => volume?.id ?? [])
  bodyOf(await app.admin.call(api.addToReadList, { params: list, body: { bookIds } }))
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.readList(list.id))
  await page.getByText('3 books').waitFor()
  await page.getByText('2 read', { exact: true }).waitFor()
  await page.getByText('Next', { exact: true }).waitFor()
  expect(await page.getByRole('gridcell').filter({ hasText: '· Read' }).count()).toBe(2)
  await settled(page)
  expect(await screen.jumps()).toEqual([])
  expect(await amissInBothSchemes(screen, 'work-read-list')).toEqual([])
  await page.getByRole('link', { name: /^Continue/ }).click()
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(paths.read(volumes[4]?.id ?? ''))
})

test.each([
  { language: 'en', role: /writer/ },
  { language: 'de', role: /Szenario/ },
] as const)('C2 somebody is a page, with what they did in words: $language', async ({ language, role }) => {
  await using screen = await app.screen({ language })
  const { page } = screen
  await screen.open(paths.person('Haruka Mizuno'))
  await page.getByRole('heading', { name: 'Haruka Mizuno', level: 1 }).waitFor()
  await page.getByText(role).waitFor()
  await page.getByRole('link', { name: 'Ines Maro' }).click()
  await page.getByRole('heading', { name: 'Ines Maro', level: 1 }).waitFor()
  expect(await page.getByText('cover_artist').count()).toBe(0)
  await page.getByRole('link', { name: new RegExp(`^${lantern}`) }).waitFor()
  await settled(page)
  expect(await screen.jumps()).toEqual([])
  expect(await screen.axe()).toEqual([])
})

test('C2 people, genres and tags are places, each with what carries it', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open(paths.people())
  await page.getByRole('link', { name: /^Haruka Mizuno/ }).waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.open(paths.genre('Drama'))
  await page.getByRole('link', { name: /^Tide/ }).waitFor()
  await page.getByRole('link', { name: /^Books/ }).click()
  await page.getByRole('grid', { name: 'Books of Drama' }).waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.open(paths.tag('found family'))
  await page.getByRole('link', { name: new RegExp(`^${lantern}`) }).waitFor()
})

test('C2 what somebody did is listed by role, and stays so while the list is looked at another way', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.person('Ines Maro'))
  const roles = page.getByRole('navigation', { name: 'By role' })
  await roles.getByRole('link', { name: /^penciller 1$/i }).click()
  const listed = page.getByRole('grid', { name: 'Series of Ines Maro' })
  await listed.getByRole('link', { name: /^Tsuki/ }).waitFor()
  await expect.poll(() => listed.getByRole('link', { name: new RegExp(`^${lantern}`) }).count()).toBe(0)
  await page.getByRole('link', { name: /^Books/ }).click()
  const books = page.getByRole('grid', { name: 'Books of Ines Maro' })
  await expect.poll(() => books.getByRole('link').count()).toBe(1)
  await page.getByRole('button', { name: 'Table' }).click()
  const word = (name: string): string | null => new URL(page.url()).searchParams.get(name)
  await expect.poll(() => word('view')).toBe('table')
  expect([word('tab'), word('role')]).toEqual(['books', 'penciller'])
  await settled(page)
  expect(await amissInBothSchemes(screen, 'work-person-role')).toEqual([])
  await roles.getByRole('link', { name: 'All roles' }).click()
  await page.getByRole('link', { name: /^Books\s*11/ }).waitFor()
})

test('C2 names of people stand beside covers of what they made', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.people())
  const covers = page.getByRole('link', { name: /^Haruka Mizuno/ }).locator('img')
  await expect.poll(() => covers.count()).toBe(2)
  await expect
    .poll(() => covers.first().evaluate((cover) => 'naturalWidth' in cover && cover.naturalWidth !== 0))
    .toBe(true)
  await settled(page)
  expect(await screen.jumps()).toEqual([])
  expect(await amissInBothSchemes(screen, 'people')).toEqual([])
})

test('W11 a book that cannot be opened does not offer to be read, and its page, its card and the reader say why', async () => {
  const [broken, lost] = ['Odd/Odd v01.cbz', 'Odd/Odd v02.cbz']
  await app.folder.write(broken, 'no archive')
  await app.folder.write(lost, comic({ seed: 77 }))
  const scanUntil = async (what: string, isSo: (broken: api.BookDto, lost: api.BookDto) => boolean) => {
    bodyOf(await app.admin.call(api.scanLibrary, { params: { id: app.libraryId } }))
    const found: api.BookDto[] = []
    await waitUntil(what, async () => {
      const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 100, includeDeleted: true } }))
      found.splice(0, 2, ...[broken, lost].flatMap((file) => data.find(({ path }) => path?.endsWith(file)) ?? []))
      const [first, second] = found
      return first !== undefined && second !== undefined && isSo(first, second)
    })
    return found
  }
  await scanUntil('both to be looked at', ({ analysisError }, { analyzed }) => analysisError !== null && analyzed)
  await rm(app.folder.in(lost))
  const [first, second] = await scanUntil('one to be missing', (_, { deleted }) => deleted)
  await using screen = await app.screen()
  screen.forgive(/404|422/)
  const { page } = screen
  await screen.open(paths.series(first?.seriesId ?? ''))
  await page.getByRole('article').getByText('Cannot be read').waitFor()
  for (const [book, why] of [
    [first, /^This book cannot be read: /],
    [second, /^The file of this book is missing/],
  ] as const) {
    await screen.open(paths.book(book?.id ?? ''))
    const reason = (await page.getByText(why).textContent()) ?? ''
    expect(await page.getByRole('main').locator('a[href^="/read/"]').count()).toBe(0)
    expect(await screen.axe()).toEqual([])
    await screen.open(paths.read(book?.id ?? ''))
    await page.getByText(reason, { exact: true }).waitFor()
  }
})
