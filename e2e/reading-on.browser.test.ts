import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../packages/server/test/free-port.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type Carrel, signIn, startCarrel, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { knowsHowToTurn, type ReaderApp, startReaderApp } from './reader-books.ts'

let app: ReaderApp
let port: number
beforeAll(async () => {
  port = await freePort()
  app = await startReaderApp({ CARREL_PORT: String(port) })
  await knowsHowToTurn(app.admin)
})
afterAll(() => app[Symbol.asyncDispose]())

const count = (page: Page, text: string) => page.getByTestId('page-count').getByText(text, { exact: true }).waitFor()
const standing = async (id: string) =>
  bodyOf(await app.admin.call(api.readProgress, { params: { id } }))?.currentPage ?? null
const untilAt = (id: string, page: number) => waitUntil(`page ${page}`, async () => (await standing(id)) === page)

/** A phone shows one page at a time. */
const openBook = async (id: string) => {
  const screen = await app.screen({ size: 'phone' })
  await screen.open(`/read/${id}`)
  return screen
}

test('one begins where one was, on any device, and a device that lags behind asks before it goes on', async () => {
  const id = app.idOf('Saga 1.cbz')
  await using phone = await openBook(id)
  await phone.page.keyboard.press('ArrowRight')
  await phone.page.keyboard.press('ArrowRight')
  await count(phone.page, '3 of 8')
  // The controls have gone while one read; a tap brings them.
  await phone.page.touchscreen.tap(195, 420)
  await phone.page.getByRole('button', { name: 'Close the book' }).click()
  await untilAt(id, 3)

  await using tablet = await openBook(id)
  await count(tablet.page, '3 of 8')
  for (let turn = 0; turn < 3; turn += 1) await tablet.page.keyboard.press('ArrowRight')
  await count(tablet.page, '6 of 8')
  await untilAt(id, 6)

  await phone.open(`/read/${id}?page=2`)
  const question = phone.page.getByRole('dialog', { name: 'You have read on elsewhere' })
  await question.getByText(/On “Chrome.*” you are on page 6/).waitFor()
  await phone.picture('reader-elsewhere')
  expect(await phone.axe()).toEqual([])
  await question.getByRole('button', { name: 'Go to page 6' }).click()
  await count(phone.page, '6 of 8')

  await phone.page.keyboard.press('ArrowRight')
  await tablet.page.getByRole('dialog').getByRole('button', { name: 'Stay on page 6' }).click()
  await count(tablet.page, '6 of 8')
  const { data } = bodyOf(await app.admin.call(api.listProgressHistory, { params: { id }, query: {} }))
  expect(new Set(data.map(({ device }) => device.id)).size).toBe(2)
})

test('without a connection one reads on, is told so, and nothing is lost when it is back', async () => {
  const id = app.idOf('Saga 2.cbz')
  await using screen = await openBook(id)
  screen.forgive(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load/)
  const { page, context } = screen
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await untilAt(id, 2)
  await context.setOffline(true)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('img', { name: 'Page 4' }).waitFor()
  // A page that was not fetched ahead: now it is known.
  await page.keyboard.press('End')
  await page.getByText('The server does not answer.').first().waitFor()
  await page.getByText(/nothing you did is lost/).waitFor()
  await screen.picture('reader-offline')
  await page.keyboard.press('PageUp')
  await count(page, '7 of 8')
  await page.getByText('Page 7 cannot be shown').waitFor()
  // What one has seen nothing of is not where one is, even if one leaves now.
  const kept = await page.evaluate<string>(
    "dispatchEvent(new PageTransitionEvent('pagehide')), JSON.stringify(Object.values(localStorage))",
  )
  expect(kept).toMatch(/"toPage\\*":4\b/)
  expect(kept).not.toMatch(/"toPage\\*":[78]\b/)
  await context.setOffline(false)
  await untilAt(id, 7)
  await page.getByText(/nothing you did is lost/).waitFor({ state: 'detached' })
  // Nobody has to ask for it again.
  await page.getByRole('img', { name: 'Page 7' }).waitFor()
  expect(await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('session')).length")).toBeLessThan(
    2,
  )
})

test('READ-1 a device that was away does not put back one that read on meanwhile, and asks where to go on', async () => {
  const id = app.idOf('Saga 1.cbz')
  bodyOf(await app.admin.call(api.deleteProgress, { params: { id } }))
  await using screen = await openBook(id)
  screen.forgive(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load/)
  const { page, context } = screen
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await untilAt(id, 2)
  await context.setOffline(true)
  await page.keyboard.press('ArrowRight')
  await count(page, '3 of 8')
  await page.getByText(/nothing you did is lost/).waitFor()
  bodyOf(await app.admin.call(api.saveProgress, { params: { id }, body: { currentPage: 6 } }))
  await context.setOffline(false)
  await page.getByRole('dialog', { name: 'You have read on elsewhere' }).waitFor()
  expect(await standing(id)).toBe(6)
})

const madeReader = async (username: string) => {
  const body = { username, password: testPassword, role: 'reader' } as const
  bodyOf(await app.admin.call(api.createUser, { body }))
  const visitor = await signIn(app.carrel, username)
  await knowsHowToTurn(visitor)
  return visitor
}

test('AUTH-2 who signs in in another tab gets nothing of what was read in the first', async () => {
  const id = app.idOf('Saga 1.cbz')
  const [ana, ben] = [await madeReader('tab-ana'), await madeReader('tab-ben')]
  await using screen = await app.screen({ as: ana, size: 'phone' })
  screen.forgive(/ERR_ABORTED/)
  const { page, context } = screen
  await screen.open(`/read/${id}`)
  await page.keyboard.press('ArrowRight')
  await count(page, '2 of 8')
  const standingOf = async (reader: Visitor) => bodyOf(await reader.call(api.readProgress, { params: { id } }))
  await expect.poll(async () => (await standingOf(ana))?.currentPage).toBe(2)
  await page.keyboard.press('ArrowRight')
  await count(page, '3 of 8')
  const isReloaded = page.waitForEvent('load')
  const other = await context.newPage()
  await other.goto(`${app.carrel.url}/sign-in`)
  await other.getByLabel('User name').fill('tab-ben')
  await other.getByLabel('Password', { exact: true }).fill(testPassword)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByRole('heading', { name: 'Home' }).waitFor()
  await isReloaded
  await page.getByTestId('page-count').waitFor()
  expect(await standingOf(ben)).toBeUndefined()
})

test('whose reading is not remembered reads all the same', async () => {
  const as = await madeReader('without-progress')
  const { id } = bodyOf(await as.call(api.readMe, {}))
  const withheldPermissions = ['progress:read', 'progress:write'] as const
  bodyOf(
    await app.admin.call(api.updateUser, { params: { id }, body: { withheldPermissions: [...withheldPermissions] } }),
  )
  await using screen = await app.screen({ as, size: 'phone' })
  screen.forgive(/403/)
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}?page=2`)
  await count(screen.page, '2 of 8')
  await screen.page.keyboard.press('ArrowRight')
  await count(screen.page, '3 of 8')
  await expect.poll(() => screen.page.getByText('3 of 8').count()).toBeGreaterThan(0)
})

test('the server is started again while one reads, and the session ends: one is told, and all of it arrives', async () => {
  const id = app.idOf('Manga 1.cbz')
  const { dataDir } = app.carrel
  await using screen = await openBook(id)
  screen.forgive(
    /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|401|Failed to load|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED/,
  )
  const { page, context } = screen
  await page.keyboard.press('ArrowLeft')
  await untilAt(id, 2)
  app.carrel.kill('SIGKILL')
  await app.carrel.exited
  for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press('ArrowLeft')
  await count(page, '5 of 8')
  // What is open is read again when the server is back, and stays open when that is refused.
  const pagesOfBook = `**${api.addressOf(api.listPages, { params: { id } })}`
  const refused = page.waitForResponse(pagesOfBook)
  await page.route(pagesOfBook, (route) =>
    route.fulfill({
      status: 401,
      json: { error: 'not_authenticated', message: 'You are not signed in any more.', requestId: id },
    }),
  )
  await using again: Carrel = await startCarrel({
    cwd: app.folder.path,
    dataDir,
    env: { CARREL_PORT: String(port), CARREL_RATE_LIMIT_ENABLED: 'false' },
  })
  expect(again.url).toBe(app.carrel.url)
  await untilAt(id, 5)
  await refused
  await page.unroute(pagesOfBook)
  await count(page, '5 of 8')

  await context.clearCookies()
  await page.keyboard.press('ArrowLeft')
  await page.evaluate(
    "dispatchEvent(new PageTransitionEvent('pagehide')), dispatchEvent(new PageTransitionEvent('pageshow'))",
  )
  await page.getByText('What you read is kept here').waitFor()
  await screen.picture('reader-signed-out')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('User name').fill('ana')
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await count(page, '7 of 8')
  await untilAt(id, 7)
  const { data } = bodyOf(await app.admin.call(api.listProgressHistory, { params: { id }, query: {} }))
  expect(data.filter(({ heldBack }) => heldBack)).toEqual([])
})
