import * as api from '@carrel/api'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { comic } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { type App, settled, startApp } from './app.ts'

const minute = 60_000
const day = 24 * 60 * minute

const saga = [1, 2, 3].map((number) => ({
  path: `Saga of the Stars/Saga ${number}.cbz`,
  pages: 20,
  info: { Series: 'Saga of the Stars', Number: number },
}))

let app: App
let ids: { series: string; parts: string[]; alone: string }
beforeAll(async () => {
  app = await startApp({ books: [...saga, { path: 'Alone/Alone.cbz', pages: 30 }] })
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { sort: 'name,asc' } }))
  const parts = data.filter(({ title }) => title.startsWith('Saga'))
  const alone = data.find(({ title }) => title === 'Alone')
  ids = { series: parts[0]?.seriesId ?? '', parts: parts.map(({ id }) => id), alone: alone?.id ?? '' }
  await readForAYear()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Ten in the morning, some days ago: whatever the hour is now, that has been. */
const morning = (daysAgo: number, minutes = 0): string => {
  const today = new Date(Date.now() - daysAgo * day).toISOString().slice(0, 10)
  return new Date(Date.parse(`${today}T10:00:00Z`) + minutes * minute).toISOString()
}

let made = 0
const session = (bookId: string, daysAgo: number, fields: Partial<api.ReadingSession>): api.ReadingSession => {
  made += 1
  return {
    id: `019aa3b2-6c7e-7000-8000-${String(made).padStart(12, '0')}`,
    bookId,
    kind: 'progress',
    clientStartedAt: morning(daysAgo),
    clientEndedAt: morning(daysAgo, 60),
    ...fields,
  }
}

/**
 * Some reading is measured on a tablet, some comes from an old app without any figure, and some is only positions from
 * an app that cannot measure.
 */
const readForAYear = async (): Promise<void> => {
  const { call } = app.admin
  const { parts, alone } = ids
  const [one = '', two = ''] = parts
  const tablet = { deviceId: 'tablet-1', deviceName: 'Tablet' }
  const sessions = [
    session(one, 370, { ...tablet, activeDurationMs: 50 * minute, pagesRead: 20, toPage: 20, kind: 'completed' }),
    session(alone, 5, { ...tablet, activeDurationMs: 40 * minute, pagesRead: 14, toPage: 14 }),
    session(alone, 4, { ...tablet, activeDurationMs: 20 * minute, pagesRead: 6, toPage: 20 }),
    session(two, 2, { deviceId: 'old-app', deviceName: 'Old app', toPage: 9 }),
  ]
  expect(bodyOf(await call(api.recordReadingSessions, { body: { sessions } })).rejected).toEqual([])
  const headers = { 'user-agent': 'Panels/4.2' }
  for (const [index, currentPage] of [20, 21, 22].entries()) {
    const body = { currentPage, at: morning(3, 3 * index) }
    bodyOf(await call(api.saveProgress, { params: { id: alone }, body }, { headers }))
  }
}

const undo = (page: Page) => page.getByLabel('Notifications', { exact: true }).getByRole('button', { name: 'Undo' })
const rowsOf = async (table: Locator): Promise<string[][]> =>
  Promise.all((await table.locator('tbody tr').all()).map((row) => row.locator('th, td').allTextContents()))

test('READ-3 statistics: measured and estimated stand apart, what is not known is said, and a table is behind every picture', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/statistics?window=30d')
  const { summary } = bodyOf(
    await app.admin.call(api.readReadingStats, { query: { from: morning(29).slice(0, 10), granularity: 'day' } }),
  )
  expect(summary.duration).toMatchObject({ measuredMs: 60 * minute, inferredMs: 6 * minute })
  const all = page.getByRole('region', { name: 'In all' })
  await all.getByText(/^at least 1 hr 6 min$/).waitFor()
  await all.getByText('1 hr measured · 6 min estimated').waitFor()
  await all.getByText('1 of 4 sessions came from an app that says no time').waitFor()
  await all.getByText(/Estimated time is worked out/).waitFor()
  await page.getByText('Measured', { exact: true }).filter({ visible: true }).first().waitFor()
  await settled(page)
  await screen.picture('statistics-desktop-light')
  expect(await screen.axe()).toEqual([])

  // The colour is not the only sign: an estimate is hatched, in the bar and in the legend.
  const chart = page.getByRole('group', { name: /^Reading time/ })
  const hatched = await chart.evaluate(
    (node) =>
      [...node.querySelectorAll('div > div')].filter(
        (bar) => bar.ownerDocument.defaultView?.getComputedStyle(bar).backgroundImage !== 'none',
      ).length,
  )
  expect(hatched).toBe(1)
  await chart.focus()
  await page.keyboard.press('End')
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowLeft')
  await page
    .getByText(/not known · 1 session/)
    .first()
    .waitFor()
  await page.keyboard.press('ArrowLeft')
  await page
    .getByText(/6 min, estimated/)
    .first()
    .waitFor()

  await page.getByRole('heading', { name: 'By series' }).scrollIntoViewIfNeeded()
  await settled(page)
  await screen.picture('statistics-desktop-light-2')
  await page.getByRole('heading', { name: 'Your pace' }).scrollIntoViewIfNeeded()
  await screen.picture('statistics-desktop-light-3')

  const time = page.locator('section', { has: page.getByRole('heading', { name: 'Reading time' }) })
  await time.getByText('As a table').click()
  const table = page.getByRole('table', { name: 'Reading time' })
  const rows = await rowsOf(table)
  expect(rows.map((row) => row.slice(1))).toEqual([
    ['40 min', '0 min', '14', '1', '0'],
    ['20 min', '0 min', '6', '1', '0'],
    ['0 min', '6 min', expect.any(String), '1', '0'],
    ['not known', 'not known', 'not known', '1', '0'],
  ])
  const devices = page.getByRole('list', { name: 'By device' })
  await devices.getByRole('listitem').filter({ hasText: 'Old app' }).getByText('not known · 1 session').waitFor()
  await devices.getByRole('listitem').filter({ hasText: 'Tablet' }).getByText('1 hr', { exact: true }).waitFor()
})

test('READ-3 what is looked at stands in the address, on a phone in the dark as well', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark', language: 'de' })
  const { page } = screen
  await screen.open('/statistics')
  await page.getByLabel('Zeitraum').selectOption({ label: 'Alles' })
  await page.getByLabel('In', { exact: true }).selectOption({ label: 'Monaten' })
  await page.locator('label', { hasText: /^Ausgelesen$/ }).click()
  await page.getByRole('heading', { name: 'Ausgelesene Bücher' }).waitFor()
  expect(page.url()).toContain('/statistics?window=all&by=month&show=completions')
  await page.reload()
  await page.getByRole('heading', { name: 'Ausgelesene Bücher' }).waitFor()
  await page.getByRole('heading', { name: 'Nach Serie' }).waitFor()
  await settled(page)
  expect(await screen.jumps()).toEqual([])
  await screen.picture('statistics-phone-dark')
  expect(await screen.axe()).toEqual([])
  const year = new Date().getUTCFullYear()
  await page.getByRole('button', { name: 'Das Jahr davor' }).click()
  await page.getByRole('heading', { name: `Die Tage von ${year - 1}` }).waitFor()
  await page.getByText('An 1 Tag gelesen').waitFor()
  expect(page.url()).toContain(`year=${year - 1}`)
  await settled(page)
  await screen.picture('statistics-phone-dark-2')
})

test('READ-4 home: arranged with keys and mouse, taken back, and live', async () => {
  await using screen = await app.screen()
  const { page, requests } = screen
  const layout = async () => bodyOf(await app.admin.call(api.readHome, { query: { grouped: true } })).layout
  const usual = await layout()
  const shelves = () => page.getByRole('main').locator('section:has(ul) > header h2').allTextContents()
  await screen.open('/')
  // What is open, the shelves in view, and those that are near.
  expect(requests.filter((each) => /\/api\/v1\/home\b/.test(each)).length).toBeLessThanOrEqual(3)
  expect(await screen.jumps()).toEqual([])
  await expect.poll(shelves).toEqual(['Recently added', 'Recently finished'])
  await screen.picture('home-desktop-light')
  expect(await screen.axe()).toEqual([])

  await page.getByRole('button', { name: 'Arrange shelves' }).click()
  const dialog = page.getByRole('dialog', { name: 'Arrange shelves' })
  await dialog.getByRole('button', { name: 'Continue reading: place 1' }).focus()
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown')
  await dialog.getByRole('button', { name: 'Continue reading: place 4' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'Recently updated series' }).check()
  await screen.picture('home-arrange')
  expect(await screen.axe()).toEqual([])
  const handle = dialog.getByRole('button', { name: 'Recently finished: place 5' })
  const [from, to] = [await handle.boundingBox(), await dialog.getByRole('button', { name: /place 1$/ }).boundingBox()]
  if (!from || !to) throw new Error('There is nothing to drag')
  await page.mouse.move(from.x + 20, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(to.x + 20, to.y + 18, { steps: 6 })
  await page.mouse.up()
  await dialog.getByRole('button', { name: 'Recently finished: place 1' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(shelves).toEqual(['Recently finished', 'Recently added', 'Recently updated series'])
  expect(await layout()).toEqual([
    'recentlyFinished',
    'onDeck',
    'followedUnread',
    'recentlyAddedBooks',
    'continueReading',
    'readAgain',
    'recentlyUpdatedSeries',
  ])
  await undo(page).click()
  await expect.poll(shelves).toHaveLength(2)
  expect(await layout()).toEqual(usual)

  // Another device reports this.
  bodyOf(await app.admin.call(api.markBookRead, { params: { id: ids.parts[1] ?? '' } }))
  const deck = page.getByRole('list', { name: 'Next in your series' })
  await deck.getByRole('link', { name: /Saga 3/ }).waitFor()
})

test('READ-4 a series is paused and followed; what arrives in it is told at once, listed, and marked as read', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/series/${ids.series}`)
  await page.getByLabel('Your reading').selectOption({ label: 'Paused' })
  await page.getByText('Your reading status is saved.').waitFor()
  expect(bodyOf(await app.admin.call(api.readHome, {})).onDeck).toEqual([])
  await undo(page).click()
  await waitUntil('nothing is said again', async () => {
    const series = bodyOf(await app.admin.call(api.readSeries, { params: { id: ids.series } }))
    return series.readingStatus === null
  })
  await page.getByLabel('Your reading').selectOption({ label: 'Planned' })
  await page.getByRole('button', { name: 'Follow: be told of new books' }).click()
  await page.getByRole('button', { name: 'No longer follow' }).waitFor()
  await settled(page)
  await screen.picture('series-followed')
  expect(await screen.axe()).toEqual([])

  const comicInfo = comicInfoXml({ Series: 'Saga of the Stars', Number: 4, Title: 'Saga 4' })
  await app.folder.write('Saga of the Stars/Saga 4.cbz', comic({ seed: 77, pages: 4, comicInfo }))
  bodyOf(await app.admin.call(api.scanLibrary, { params: { id: app.libraryId } }))
  await page.getByRole('link', { name: 'Notifications: 1 unread' }).click()
  const list = page.getByRole('list', { name: 'Notifications', exact: true })
  await list.getByRole('link', { name: /Saga of the Stars.*New.*1 new book: 4 · Saga 4/ }).waitFor()
  await settled(page)
  await screen.picture('notifications-desktop-light')
  expect(await screen.axe()).toEqual([])
  await list.getByRole('button', { name: 'Mark as read: Saga of the Stars' }).click()
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()

  await screen.open('/my-series')
  // Where there is something is seen before one has looked there.
  await page.getByText('No series here').waitFor()
  await page.getByRole('link', { name: /^Planned\s*1$/ }).click()
  await page.getByRole('link', { name: /Saga of the Stars/ }).waitFor()
  await page.getByRole('link', { name: 'Followed' }).click()
  await page.getByRole('link', { name: /Saga of the Stars/ }).waitFor()
  expect(page.url()).toContain('/my-series?of=followed')
  await settled(page)
  await screen.picture('my-series')
})

test('READ-1 the history of a book: back to an earlier point and again; times it was read added, changed, removed, each with undo', async () => {
  const params = { id: ids.alone }
  const standing = async () => bodyOf(await app.admin.call(api.readProgress, { params }))?.currentPage
  const times = async () => bodyOf(await app.admin.call(api.readReadHistory, { params })).entries
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open(`/books/${ids.alone}`)
  // 60 minutes for 20 pages, and 8 are left.
  await page.getByText('Page 22 of 30 · about 24 min left at your pace').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Reading history' }).click()
  const points = page.getByRole('list', { name: 'Where you were' })
  await points.getByRole('listitem').filter({ hasText: 'Page 22 of 30' }).getByText('You are here').waitFor()
  const earlier = points.getByRole('listitem').filter({ hasText: 'Page 14 of 30' })
  await earlier.getByText(/Tablet/).waitFor()
  await earlier.getByRole('button', { name: /^Go back to: Page 14/ }).click()
  await page.getByText('You are back at: Page 14 of 30').waitFor()
  await waitUntil('page 14', async () => (await standing()) === 14)
  await undo(page).click()
  await waitUntil('page 22', async () => (await standing()) === 22)

  await page.getByRole('button', { name: 'Add a time' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Finished on').fill('2015-08-02')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const list = page.getByRole('list', { name: 'Times you have read it' })
  await list.getByText('August 2, 2015').waitFor()
  await page.getByRole('button', { name: 'Change the time of August 2, 2015' }).click()
  await dialog.getByLabel('Begun on').fill('2015-07-01')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await list.getByText('begun on July 1, 2015').waitFor()
  await settled(page)
  await screen.picture('history-phone-light')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Remove the time of August 2, 2015' }).click()
  await list.waitFor({ state: 'detached' })
  expect(await times()).toEqual([])
  await undo(page).last().click()
  await list.getByText('August 2, 2015').waitFor()
  expect((await times()).map(({ startedAt }) => startedAt.slice(0, 7))).toEqual([expect.stringMatching(/2015-0[67]/)])
})

test('READ-1 the history of a series is forgotten after a question that says what is lost; places stay', async () => {
  const params = { id: ids.series }
  const [one = ''] = ids.parts
  const history = async () => bodyOf(await app.admin.call(api.readSeriesReadHistory, { params }))
  const finished = async () => bodyOf(await app.admin.call(api.readProgress, { params: { id: one } }))?.completed
  const { completions } = await history()
  expect(completions).toBeGreaterThan(0)
  await using screen = await app.screen()
  const { page } = screen
  const ask = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Forget reading history' }).click()
    return page.getByRole('dialog', { name: 'Forget your history of Saga of the Stars?' })
  }
  await screen.open(`/series/${ids.series}`)
  const dialog = await ask()
  await dialog.getByText(/read a book of it to the end (?:is|are) forgotten, in your statistics too/).waitFor()
  await dialog.getByText(/^Where you are in each book stays as it is/).waitFor()
  await settled(page)
  await screen.picture('series-forget')
  expect(await screen.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await history()).completions).toBe(completions)

  await (await ask()).getByRole('button', { name: 'Forget it' }).click()
  await page.getByText('Your history of Saga of the Stars is forgotten.').waitFor()
  expect((await history()).completions).toBe(0)
  expect(await finished()).toBe(true)
  await (await ask()).getByText(/^There is nothing to forget/).waitFor()
})

test('READ-1 a history is taken along and brought in, with a report of what was not found', async () => {
  await using screen = await app.screen({ scheme: 'dark' })
  const { page } = screen
  await screen.open('/account/history')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'As CSV' }).click()])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const entries = [
    { series: 'Saga of the Stars', title: 'Saga 1', date: '2014-03-04', completed: true },
    { series: 'Nowhere', title: 'Nothing', date: '2014-03-05', page: 3 },
  ]
  const buffer = Buffer.from(JSON.stringify({ entries }))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).click(),
  ])
  await chooser.setFiles({ name: 'history.json', mimeType: 'application/json', buffer })
  await page.getByText('That is all of it.').waitFor()
  await page.getByText('Nowhere').waitFor()
  await page.getByText(/Entry 2 · no such book/).waitFor()
  await settled(page)
  await screen.picture('import-desktop-dark')
  expect(await screen.axe()).toEqual([])
  await page.reload()
  await page.getByText(/Entry 2 · no such book/).waitFor()
})

test('READ-2 devices are named, merged and forgotten; feed and webhook are set up, and their secrets shown once', async () => {
  const names = async () => bodyOf(await app.admin.call(api.listDevices, {})).data.map(({ name }) => name)
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account/devices')
  const list = page.getByRole('list', { name: 'Devices' })
  const menu = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  const dialog = page.getByRole('dialog')
  await menu('Tablet', 'Rename')
  await dialog.getByLabel('Name').fill('Kitchen')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await list.getByText('Kitchen', { exact: true }).waitFor()
  await undo(page).click()
  await list.getByText('Tablet', { exact: true }).waitFor()
  await screen.picture('devices-desktop-light')
  expect(await screen.axe()).toEqual([])
  await menu('Old app', 'Is another one here')
  await dialog.getByLabel('Old app is really').selectOption({ label: 'Tablet' })
  await dialog.getByRole('button', { name: 'They are the same' }).click()
  await list.getByText(/stands for 1 other/).waitFor()
  await menu('Tablet', 'Forget')
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click()
  await list.getByText('Tablet', { exact: true }).waitFor({ state: 'detached' })
  expect(await names()).not.toContain('Tablet')

  await page.getByRole('link', { name: 'Notifications', exact: true }).last().click()
  await page.getByRole('button', { name: 'Make an address' }).click()
  const address = await dialog.getByLabel('Address of the feed').inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const feed = await fetch(address)
  expect([feed.status, feed.headers.get('content-type')]).toEqual([200, expect.stringContaining('rss')])
  expect(await feed.text()).toContain('Saga of the Stars')
  await page.getByLabel('Address', { exact: true }).fill('https://example.org/hook')
  await page.getByRole('button', { name: 'Keep the address' }).click()
  await dialog.getByLabel('Secret').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('https://example.org/hook').waitFor()
  await settled(page)
  await screen.picture('notification-settings')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'End the address' }).click()
  await dialog.getByRole('button', { name: 'End the address' }).click()
  await page.getByRole('button', { name: 'Make an address' }).waitFor()
  expect((await fetch(address)).status).toBe(404)
})
