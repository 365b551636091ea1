import { readFile } from 'node:fs/promises'
import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { amissInBothSchemes, type App, type Screen, settled, startApp } from './app.ts'

const minuteMs = 60_000
/** A year that is over, whatever the date is. */
const year = new Date().getUTCFullYear() - 1

const titles = ['Told of Stars', 'Told of Seas', 'Kept Secret'] as const
const booksOf = (title: string) =>
  [1, 2].map((number) => ({
    path: `${title}/${title} ${number}.cbz`,
    pages: 20,
    info: { Series: title, Number: number, Writer: `Writer of ${title}`, Genre: `Genre of ${title}` },
  }))

/** Where it is about noon now: what was read half an hour ago was read this week, whenever the test runs. */
const zoneAtNoon = (): string => {
  const hoursToNoon = 12 - new Date().getUTCHours()
  // The names of these zones count to the west.
  return hoursToNoon < 0 ? `Etc/GMT+${-hoursToNoon}` : `Etc/GMT-${hoursToNoon}`
}

let app: App
let reader: Visitor
let seriesIds: ReadonlyMap<string, string>
beforeAll(async () => {
  app = await startApp({ books: titles.flatMap(booksOf) })
  const { admin, carrel } = app
  const tag = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'kept' } }))
  const access = { denyTags: [tag.id] }
  bodyOf(await admin.call(api.createUser, { body: { username: 'robin', password: testPassword, access } }))
  reader = await signIn(carrel, 'robin')
  bodyOf(await reader.call(api.updateProfile, { body: { timeZone: zoneAtNoon() } }))
  const { data: books } = bodyOf(await admin.call(api.listBooks, { query: { sort: 'name,asc' } }))
  seriesIds = new Map(books.map(({ seriesName, seriesId }) => [seriesName, seriesId ?? '']))
  await readForYears(books)
  // From now on the reader does not see it any more.
  const params = { id: seriesIds.get('Kept Secret') ?? '' }
  bodyOf(await admin.call(api.saveSeriesSharingTags, { params, body: { tagIds: [tag.id] } }))
})
afterAll(() => app[Symbol.asyncDispose]())

/** Most of it is of the series that is hidden later; some has no time; and something was read today. */
const readForYears = async (books: readonly api.BookDto[]): Promise<void> => {
  const bookOf = (title: string, index = 0): string =>
    books.filter(({ seriesName }) => seriesName === title)[index]?.id ?? ''
  const session = (bookId: string, at: string | number, minutes: number, fields: Partial<api.ReadingSession> = {}) => {
    const start = new Date(at).getTime()
    return {
      id: crypto.randomUUID(),
      bookId,
      kind: 'progress' as const,
      clientStartedAt: new Date(start).toISOString(),
      clientEndedAt: new Date(start + minutes * minuteMs).toISOString(),
      activeDurationMs: minutes * minuteMs,
      pagesRead: 10,
      toPage: 10,
      ...fields,
    }
  }
  const completed = { kind: 'completed' as const, toPage: 20 }
  const { activeDurationMs: _, ...withoutTime } = session(bookOf('Told of Seas', 1), `${year}-07-01T10:00:00Z`, 5)
  const sessions = [
    session(bookOf('Told of Stars'), `${year}-02-01T10:00:00Z`, 50),
    session(bookOf('Told of Stars'), `${year}-02-02T10:00:00Z`, 50, completed),
    session(bookOf('Told of Seas'), `${year}-02-03T10:00:00Z`, 30, completed),
    session(bookOf('Kept Secret'), `${year}-01-10T10:00:00Z`, 240, completed),
    session(bookOf('Kept Secret', 1), `${year}-06-01T10:00:00Z`, 60),
    withoutTime,
    session(bookOf('Told of Stars', 1), Date.now() - 26 * minuteMs, 25, completed),
  ]
  expect(bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions } })).rejected).toEqual([])
}

const isNowhereNamed = async ({ page, requests }: Screen): Promise<void> => {
  const secret = seriesIds.get('Kept Secret') ?? ''
  expect(await page.locator('body').innerHTML()).not.toMatch(new RegExp(`Kept Secret|${secret}`))
  expect(requests.filter((address) => address.includes(secret))).toEqual([])
}

test('READ-3 statistics begin with this week, the last one beside it; series have their covers, and what is hidden no name', async () => {
  await using screen = await app.screen({ as: reader })
  const { page } = screen
  await screen.open('/statistics?window=all')
  const week = page.getByRole('region', { name: 'This week' })
  await week.getByText('25 min', { exact: true }).first().waitFor()
  await week.getByText('1 book finished').waitFor()
  await week.getByText('As a table').click()
  const rows = week.getByRole('table', { name: 'This week and the last' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBeGreaterThan(0)

  const series = page.getByRole('list', { name: 'By series' })
  const told = series.getByRole('listitem').filter({ hasText: 'Told of Stars' })
  await told.getByText('2 books').waitFor()
  const link = told.getByRole('link', { name: /Told of Stars/ })
  expect(await link.getAttribute('href')).toBe(`/series/${seriesIds.get('Told of Stars')}`)
  await link.scrollIntoViewIfNeeded()
  const widthOf = () => told.locator('img').evaluate((image) => Number(Reflect.get(image, 'naturalWidth')))
  await expect.poll(widthOf).toBeGreaterThan(0)
  const hidden = series.getByRole('listitem').filter({ hasText: 'What you can no longer see' })
  await hidden.getByText('5 hr', { exact: true }).waitFor()
  expect([await hidden.getByRole('link').count(), await hidden.locator('img').count()]).toEqual([0, 0])
  await isNowhereNamed(screen)
  expect(await screen.jumps()).toEqual([])
  expect(await amissInBothSchemes(screen, 'statistics-of-weeks')).toEqual([])
  expect((await page.getByRole('main').locator('h1').boundingBox())?.width).toBeLessThanOrEqual(1120)
})

test('READ-3 A3 a year in review is told by real text, and what is hidden is in its figures and named nowhere', async () => {
  await using screen = await app.screen({ as: reader })
  const { page } = screen
  await screen.open(`/statistics?year=${year}`)
  await page.getByRole('link', { name: `${year} in review` }).click()
  await page.getByRole('heading', { level: 1, name: `Your ${year}` }).waitFor()
  await settled(page)
  const section = (heading: string) => page.locator('section', { has: page.getByRole('heading', { name: heading }) })
  await section('Time read').getByText('7 hr 10 min').waitFor()
  await section('Time read').getByText('at least').waitFor()
  await section('Time read').getByText('on 6 days · 6 sessions').waitFor()
  await section('Books finished').getByText('3', { exact: true }).waitFor()
  await section('Most in a row').getByText('3 days', { exact: true }).waitFor()
  await section('Month by month').getByText('Most in January: 4 hr').waitFor()
  await section('Month by month').getByText('As a table').click()
  expect(await section('Month by month').locator('tbody th').allTextContents()).toEqual([
    'January',
    'February',
    'June',
    'July',
  ])
  await section('Read most')
    .getByRole('link', { name: /Told of Stars/ })
    .waitFor()
  expect(await page.getByRole('list', { name: 'Genres' }).getByRole('link').allTextContents()).toEqual([
    'Genre of Told of Stars',
    'Genre of Told of Seas',
  ])
  await page.getByRole('list', { name: 'People' }).getByRole('link', { name: 'Writer of Told of Stars' }).waitFor()
  await section('The first book you finished').getByText('Told of Stars').first().waitFor()
  await section('The last book you finished').getByText('February 3').waitFor()
  await page.getByText('1 of 6 sessions came from an app that says no time').waitFor()
  await isNowhereNamed(screen)
  expect(await screen.jumps()).toEqual([])
  expect(await amissInBothSchemes(screen, 'year-in-review')).toEqual([])
})

/** Width and height stand in the header of every PNG. */
const sizeOfPng = (bytes: Buffer): readonly [number, number] => {
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

const saved = async (page: Page): Promise<Buffer> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the picture' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`carrel-${year}.png`)
  return readFile(await download.path())
}

test('READ-3 A3 the year is saved as a picture that is drawn here, with no name or cover of what is hidden, or with none at all', async () => {
  await using screen = await app.screen({ as: reader })
  const { page, requests } = screen
  await screen.open(`/statistics/${year}`)
  // The bell asks for its number after the first paint.
  await expect.poll(() => requests.some((address) => address.endsWith('/unread-count'))).toBe(true)
  const before = requests.length
  await page.getByRole('button', { name: 'Share as a picture' }).click()
  const dialog = page.getByRole('dialog', { name: `Your ${year} as a picture` })
  const picture = dialog.locator('canvas')
  await settled(page)
  const label = async () => (await picture.getAttribute('aria-label')) ?? ''
  expect(await label()).toBe(
    `My ${year} in books. at least. 7 hr 10 min. 3 Books finished. 60 Pages read. 6 Days with reading. 3 Most in a row. Read most. Told of Stars. Told of Seas. Carrel`,
  )
  await isNowhereNamed(screen)
  expect(await screen.axe()).toEqual([])
  await screen.picture('year-as-a-picture')
  const withNames = await saved(page)
  expect(sizeOfPng(withNames)).toEqual([1080, 1350])

  await dialog.getByLabel('With titles and covers').uncheck({ force: true })
  await expect.poll(label).not.toContain('Told')
  await settled(page)
  await screen.picture('year-as-a-picture-without-names')
  const withoutNames = await saved(page)
  expect(sizeOfPng(withoutNames)).toEqual([1080, 1350])
  expect(withoutNames.equals(withNames)).toBe(false)
  // It goes nowhere: all that is asked for are covers, from the same server.
  const requested = requests.slice(before).filter((address) => !address.startsWith('blob:'))
  expect(requested.filter((address) => !/\/media\/series\/[^/]+\/thumbnail|\/assets\//.test(address))).toEqual([])
})

test('READ-3 where the device can share, the picture is handed to it as a file, and only then', async () => {
  await using screen = await app.screen({ as: reader, size: 'phone' })
  const { page } = screen
  // The browser of the tests has nothing to share with.
  await page.addInitScript(`
    globalThis.shared = []
    Object.assign(navigator, {
      canShare: ({ files }) => files.every(({ type }) => type === 'image/png'),
      share: async ({ files }) => { shared.push(...files.map(({ name, type, size }) => ({ name, type, isEmpty: size === 0 }))) },
    })`)
  await screen.open(`/statistics/${year}`)
  await page.getByRole('button', { name: 'Share as a picture' }).click()
  await settled(page)
  expect(await page.evaluate('shared')).toEqual([])
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect
    .poll(() => page.evaluate('shared'))
    .toEqual([{ name: `carrel-${year}.png`, type: 'image/png', isEmpty: false }])
})

test('READ-3 what a finger has touched in a chart and in the calendar stays to be read when it is lifted', async () => {
  await using screen = await app.screen({ as: reader, size: 'phone' })
  const { page } = screen
  await screen.open('/statistics')
  const hints = [page.getByText('Choose a day to see'), page.getByText('Choose a bar, or go')]
  for (const hint of hints) await hint.first().waitFor()
  const before = await Promise.all(hints.map((hint) => hint.count()))

  await page.locator('[data-day][data-level]').last().tap()
  await expect.poll(() => hints[0]?.count()).toBe((before[0] ?? 0) - 1)
  await page
    .getByRole('group', { name: /bars|chart/i })
    .first()
    .tap()
  await expect.poll(() => hints[1]?.count()).toBe((before[1] ?? 0) - 1)
})

test('READ-3 a year without reading says so and leads on; what is no year is no page', async () => {
  await using screen = await app.screen({ as: reader, size: 'phone' })
  const { page } = screen
  await screen.open('/statistics/1999')
  await page.getByText('Nothing was read in 1999').waitFor()
  expect(await page.getByRole('button', { name: 'Share as a picture' }).count()).toBe(0)
  expect(await screen.axe()).toEqual([])
  await page.getByRole('link', { name: 'All statistics' }).click()
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  await screen.open('/statistics/soon')
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
})

test('READ-3 the year is read from the right in Arabic, on a phone of 320 pixels too, and so is its picture', async () => {
  await using screen = await app.screen({ as: reader, size: 'phone', scheme: 'dark', language: 'ar' })
  const { page } = screen
  const widthOf = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/statistics', `/statistics/${year}`]) {
    await screen.open(path)
    await expect.poll(widthOf).toBe(320)
    await screen.picture(`arabic${path.replaceAll('/', '-')}`)
  }
  await page.getByRole('button', { name: 'المشاركة كصورة' }).click()
  await settled(page)
  await expect.poll(widthOf).toBe(320)
  expect(await page.getByRole('dialog').locator('canvas').getAttribute('aria-label')).toContain('Told of Stars')
  expect(await screen.axe()).toEqual([])
  await screen.picture('arabic-picture')
})

test('READ-3 whoever has read nothing is led to the series', async () => {
  bodyOf(await app.admin.call(api.createUser, { body: { username: 'new', password: testPassword } }))
  await using screen = await app.screen({ as: await signIn(app.carrel, 'new') })
  await screen.open('/statistics')
  await screen.page.getByText('Nothing has been read yet').waitFor()
  await screen.page.getByRole('link', { name: 'To the series' }).click()
  await expect.poll(() => new URL(screen.page.url()).pathname).toBe('/series')
})
