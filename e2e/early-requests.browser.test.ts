import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, startApp } from './app.ts'
import { reader } from './ebook-steps.ts'

let app: App
beforeAll(async () => {
  app = await startApp({
    books: [
      { path: 'Alone/Alone 1.cbz', pages: 8 },
      { path: 'Alone/Alone 2.cbz', pages: 8 },
    ],
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const readAhead = `localStorage.getItem('carrel.ahead')`

/** The frame asks these only once a page has been painted. */
const askedAfterPaint = ['/api/v1/user/notifications/unread-count', '/api/v1/admin/server/problems']

test.each(['home', 'a series'])(
  'at the next visit %s asks before its scripts are read for what it asked for',
  async (which) => {
    const seriesId = bodyOf(await app.admin.call(api.listSeries, { query: {} })).data[0]?.id ?? ''
    const [path, asks] =
      which === 'home' ? ['/', '/api/v1/home?'] : [`/series/${seriesId}`, `/api/v1/series/${seriesId}/gaps`]
    await using screen = await app.screen()
    const { page, requests } = screen
    await screen.open(path)
    await expect.poll(() => page.evaluate<string | null>(readAhead)).toContain(asks)
    // What the first visit asks late would count as asked by the next one.
    for (const late of askedAfterPaint) await expect.poll(() => requests).toContain(app.carrel.url + late)
    const before = requests.length
    const early = page.waitForRequest((request) => request.url().includes(asks))
    // The scripts do not come before it has asked.
    await page.route(/\/assets\/(?!first-paint).*\.js/, async (route) => {
      await early
      await route.continue()
    })
    await screen.open(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const again = requests.slice(before).filter((each) => each.includes('/api/v1/'))
    expect(
      again.filter((each) => each.includes(asks)),
      'the page takes what was asked ahead',
    ).toHaveLength(1)
    const askedTwice = again.filter((each, index) => again.indexOf(each) !== index)
    expect(askedTwice, 'nothing is asked twice').toEqual([])
  },
)

test('what the pages of somebody asked for is forgotten when nobody is signed in any more', async () => {
  const as = await reader(app, 'role-leaving')
  await using screen = await app.screen({ as })
  screen.forgive(/401/)
  const { page } = screen
  await screen.open('/')
  await expect.poll(() => page.evaluate<string | null>(readAhead)).toContain('/api/v1/home?')
  bodyOf(await as.call(api.logout, {}))
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.evaluate<string | null>(readAhead)).toBeNull()
})

test.each(['nonsense', '{"pages":[["/",["/api/v1/no-such-thing"]]]}', '{"pages":{}}'])(
  'a page begins as usual where %s is kept of its last visit',
  async (nonsense) => {
    await using screen = await app.screen()
    screen.forgive(/404.*no-such-thing/)
    const { page } = screen
    await page.addInitScript(`if (self === top && !sessionStorage.begun) {
      sessionStorage.begun = 'yes'
      localStorage.setItem('carrel.ahead', ${JSON.stringify(nonsense)})
    }`)
    await screen.open('/')
    await expect.poll(() => page.evaluate<string | null>(readAhead)).not.toBe(nonsense)
    await screen.open('/')
    await expect.poll(() => page.evaluate<string | null>(readAhead)).toContain('/api/v1/home?')
  },
)

const untilTold = async ({ body }: Response, type: string): Promise<void> => {
  for await (const part of body ?? []) if (Buffer.from(part).includes(type)) return
}

test('whoever goes back at once is shown where they are, also when the page was asked for before that was saved', async () => {
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: {} }))
  const bookId = data[0]?.id ?? ''
  const as = await reader(app, 'role-going-back')
  bodyOf(await as.call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 1 } }))
  await using screen = await app.screen({ as })
  const { page } = screen
  await screen.open('/')
  const home = page.getByRole('region', { name: 'Alone' })
  await home.getByText('page 1 of 8').waitFor()
  await home.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('main', { name: 'Page 1 of 8' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/page=2/)
  const before = bodyOf(await as.call(api.readOpenBooks, {}))
  let isFirst = true
  await page.route('**/api/v1/home/open', (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    return route.fulfill({ json: before })
  })
  const stream = await fetch(`${app.carrel.url}/api/v1/events`, { headers: { cookie: as.cookie } })
  const saved = untilTold(stream, 'progress_updated')
  await page.route('**/api/v1/events**', async (route) => {
    await saved
    await route.continue()
  })
  await page.goBack()
  await home.getByText(/page [23] of 8/).waitFor()
  expect(await home.getByText('page 1 of 8').count()).toBe(0)
})
