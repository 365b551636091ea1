import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { fixtures } from '../packages/server/test/plugins/recommending-house.ts'
import { signIn, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { type App, startApp } from './app.ts'

const one = (Series: string, info: Readonly<Record<string, string | number>>) => ({
  path: `${Series}/${Series} 1.cbz`,
  pages: 1,
  info: { Series, Number: 1, Year: 2014, ...info },
})

const books = [
  one('Night Train', { Writer: 'Ana Kovač', Genre: 'Crime, Mystery', Tags: 'railways, heist' }),
  one('Cold Harbour', { Writer: 'Ana Kovač', Genre: 'Crime', Tags: 'harbour' }),
  one('Last Stop', { Writer: 'Ana Kovač', Genre: 'Crime', Tags: 'railways, farewell' }),
  one('Signal Box', { Writer: 'Ben Ode', Genre: 'Mystery', Tags: 'railways' }),
  one('The Quiet Safe', { Writer: 'Cleo Marsh', Genre: 'Crime', Tags: 'heist' }),
  ...Array.from({ length: 8 }, (_, at) =>
    one(`Filler ${at}`, { Writer: `Somebody ${at}`, Genre: `Kind ${at}`, Tags: `own ${at}` }),
  ),
]
const builtIn = {
  name: 'shelves',
  displayName: 'From your own shelves',
  package: '@carrel/plugin-local-recommendations',
}

let app: App
beforeAll(async () => {
  app = await startApp({ books })
  await cp(fixtures, join(app.carrel.dataDir, 'plugins', 'recommending'), { recursive: true })
})
afterAll(() => app[Symbol.asyncDispose]())

const reader = async (username: string): Promise<Visitor> => {
  bodyOf(await app.admin.call(api.createUser, { body: { username, password: testPassword, role: 'reader' } }))
  return signIn(app.carrel, username)
}

const seriesCalled = async (title: string): Promise<string> => {
  const { data } = bodyOf(await app.admin.call(api.listSeries, { query: { pageSize: 100 } }))
  const match = data.find((each) => each.title === title)
  if (!match) throw new Error(`There is no series ${title}`)
  return match.id
}

const finish = async (visitor: Visitor, ...titles: readonly string[]): Promise<void> => {
  for (const title of titles)
    bodyOf(await visitor.call(api.markSeriesRead, { params: { id: await seriesCalled(title) } }))
}

const listOf = (page: Page) => page.getByRole('list', { name: 'Recommended for you' })
const cardOf = (page: Page, title: string) => listOf(page).getByRole('article').filter({ hasText: title })
const titlesIn = (page: Page) => listOf(page).getByRole('heading').allTextContents()
const placesOf = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link')
/** It returns whether the document is still the one that was opened: nothing was loaded again. */
const mark = (page: Page) => page.evaluate('globalThis.isThisOne = true')
const isMarked = (page: Page) => page.evaluate<boolean>('globalThis.isThisOne === true')
const width = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

test('REC-1 nobody recommends: the page says what to do, and no place leads there', async () => {
  await using screen = await app.screen({ as: await reader('nora') })
  const { page } = screen
  await screen.open('/recommendations')
  await page.getByText('Ask an administrator to set up a plugin').waitFor()
  expect(await placesOf(page).allTextContents()).not.toContain('Recommended')
  expect(await screen.axe()).toEqual([])
  await using admins = await app.screen({ size: 'phone', scheme: 'dark' })
  await admins.open('/recommendations')
  await admins.page.getByRole('link', { name: 'Set it up' }).waitFor()
  expect(await admins.axe()).toEqual([])
  await admins.picture('recommendations-nobody-phone-dark')
})

test('REC-1 the built-in plugin is set up and switched on, and the place is there without a reload', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/recommendations')
  await mark(page)
  await page.getByRole('link', { name: 'Set it up' }).click()
  await page.getByLabel('Name that is shown').fill(builtIn.displayName)
  await page.getByRole('button', { name: 'Set it up' }).click()
  const standing = page.getByRole('region', { name: 'How it is' })
  await standing.getByRole('button', { name: 'Test it' }).click()
  await standing.getByText('It answers, within').waitFor()
  await standing.getByRole('button', { name: 'Switch on' }).click()
  await placesOf(page).filter({ hasText: 'Recommended' }).waitFor()
  expect(await isMarked(page)).toBe(true)

  // A user who has read nothing is told to begin.
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'Recommended for you' }).waitFor()
  await page.getByText('There is nothing to recommend yet').waitFor()
  await page.getByText('Up to date').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('recommendations-nothing-yet')
})

test('A7 each user sees that a plugin is on for everybody, and leaves; its administrator decides for everybody', async () => {
  await using screen = await app.screen({ as: await reader('vera') })
  const { page } = screen
  await screen.open('/account/plugins')
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: builtIn.displayName }) })
  await card.getByText('Your administrator has switched it on for everybody.').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('own-plugins-for-everybody')
  await card.getByRole('button', { name: `Switch off: ${builtIn.displayName}` }).click()
  await card.getByText('Nothing of yours is sent to it').waitFor()

  const { plugins } = bodyOf(await app.admin.call(api.listPlugins, {}))
  const id = plugins.find(({ package: name }) => name === builtIn.package)?.id ?? ''
  await using admins = await app.screen()
  await admins.open(`/admin/plugins/${id}/settings`)
  const choice = admins.page.getByLabel('On for everybody')
  expect(await choice.isChecked()).toBe(true)
  await choice.uncheck()
  await admins.page.getByRole('button', { name: 'Save', exact: true }).click()
  await admins.page.getByText(`${builtIn.displayName} is saved.`).waitFor()
  expect(bodyOf(await app.admin.call(api.readPlugin, { params: { id } })).enabledFor).toBe('nobody')
  expect(await admins.axe()).toEqual([])
  await admins.picture('plugin-for-everybody')
  bodyOf(await app.admin.call(api.updatePlugin, { params: { id }, body: { enabledFor: 'everybody' } }))
})

test('REC-1 the shelf comes to home by itself when the task ends, after the rest, and nothing jumps', async () => {
  const visitor = await reader('rita')
  await finish(visitor, 'Night Train', 'Cold Harbour')
  await using screen = await app.screen({ as: visitor })
  const { page, requests } = screen
  await screen.open('/')
  await mark(page)
  const shelf = listOf(page)
  await shelf.getByRole('link', { name: 'Last Stop' }).getByText('Because you finished').waitFor()
  expect(await screen.jumps()).toEqual([])
  const requestsOfHome = requests.filter((each) => each.includes('/api/v1/home'))
  expect(requestsOfHome).toEqual([...new Set(requestsOfHome)])
  expect(await isMarked(page)).toBe(true)
  expect(await screen.axe()).toEqual([])
  await shelf.scrollIntoViewIfNeeded()
  await screen.picture('recommendations-home-light')

  // Now it is known from the start.
  await screen.open('/')
  await shelf.getByRole('link', { name: 'Last Stop' }).waitFor()
  expect(await screen.jumps()).toEqual([])
  await shelf.getByRole('link', { name: 'Last Stop' }).click()
  await page.getByRole('heading', { name: 'Last Stop' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Show all: Recommended for you' }).click()
  await page.waitForURL(/\/recommendations$/)
  await page.getByRole('heading', { level: 1, name: 'Recommended for you' }).waitFor()
})

test('REC-1 on the page: why, refreshed live, onto the list, put away with a reason, undone, and the series itself', async () => {
  const visitor = await reader('paul')
  await finish(visitor, 'Night Train')
  await using screen = await app.screen({ as: visitor })
  const { page } = screen
  await screen.open('/recommendations')
  await mark(page)
  const card = cardOf(page, 'Last Stop')
  await card.getByText('Because you finished Night Train: also by Ana Kovač').waitFor()
  await card.getByText('2014 · Crime', { exact: true }).waitFor()
  await cardOf(page, 'Signal Box').getByText('also about railways').waitFor()
  await card.getByText('In this library').waitFor()
  await screen.picture('recommendations-light')
  expect(await screen.axe()).toEqual([])

  // Books finished meanwhile count when it is asked for; the answer comes by itself.
  await finish(visitor, 'Cold Harbour')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await card.getByText(/Because you finished (Night Train and Cold Harbour|Cold Harbour and Night Train):/).waitFor()
  expect(await isMarked(page)).toBe(true)

  const wantButton = card.getByRole('button', { name: 'Want to read: Last Stop' })
  await wantButton.click()
  await page.getByText('It is on your list now.').waitFor()
  await expect.poll(() => wantButton.getAttribute('aria-pressed')).toBe('true')
  expect(bodyOf(await visitor.call(api.listWantToRead, {})).data).toMatchObject([{ title: 'Last Stop' }])

  const before = await titlesIn(page)
  expect(before[0]).toBe('Last Stop')
  await card.getByRole('button', { name: 'Not for me: Last Stop' }).focus()
  await page.keyboard.press('Enter')
  // A series on this server is owned already: that is no reason.
  await page.getByRole('menuitem', { name: 'Read it already' }).waitFor()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Not interested', 'Read it already'])
  await screen.picture('recommendations-not-for-me')
  await page.getByRole('menuitem', { name: 'Read it already' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Last Stop is not recommended to you any more.').waitFor()
  await expect.poll(() => titlesIn(page)).toEqual(before.slice(1))
  // The keyboard goes on where it was.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(before[1])
  await page.keyboard.press('u')
  await expect.poll(() => titlesIn(page)).toEqual(before)

  await card.getByRole('link', { name: 'Last Stop' }).click()
  await page.getByRole('heading', { level: 1, name: 'Last Stop' }).waitFor()
  expect(await isMarked(page)).toBe(true)
})

test('REC-1 all put away, and one brought back from the list below, on a phone in the dark', async () => {
  const visitor = await reader('alma')
  await finish(visitor, 'Night Train', 'Cold Harbour')
  await using screen = await app.screen({ as: visitor, size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open('/recommendations')
  await listOf(page).getByRole('article').first().waitFor()
  const all = await titlesIn(page)
  for (const title of all) {
    await page.getByRole('button', { name: `Not for me: ${title}` }).click()
    await page.getByRole('menuitem', { name: 'Not interested' }).click()
    await page.getByRole('button', { name: `Bring back: ${title}` }).waitFor()
  }
  await page.getByText('You have put all of them away').waitFor()
  expect(await screen.axe()).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await width(page)).toBe(320)
  await page.getByRole('heading', { name: 'Put away just now' }).scrollIntoViewIfNeeded()
  await screen.picture('recommendations-put-away-320')
  // The test uses the keyboard: a message covers the button for some seconds more.
  await page.getByRole('button', { name: 'Bring back: Last Stop' }).press('Enter')
  await expect.poll(() => titlesIn(page)).toEqual(['Last Stop'])
  await expect.poll(() => page.getByRole('button', { name: /^Bring back/ }).count()).toBe(all.length - 1)
})

test('REC-1 in German, black on a phone, and at 320 pixels nothing is cut off', async () => {
  const visitor = await reader('gerd')
  bodyOf(await visitor.call(api.savePreference, { params: { key: 'web.look' }, body: { value: 'oled' } }))
  const { enabled } = bodyOf(await visitor.call(api.listUserPlugins, {}))
  const params = { id: enabled[0]?.id ?? '' }
  bodyOf(await visitor.call(api.saveUserPluginConfig, { params, body: { config: { language: 'de' } } }))
  await finish(visitor, 'Night Train', 'Cold Harbour')
  await using screen = await app.screen({ as: visitor, size: 'phone', scheme: 'dark', language: 'de' })
  const { page } = screen
  await screen.open('/recommendations')
  await page.getByText(/Weil du \S+ \S+ und \S+ \S+ ausgelesen hast: auch von Ana Kovač/).waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('recommendations-german')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await width(page)).toBe(320)
  await screen.picture('recommendations-german-320')
  await screen.open('/')
  await page.getByRole('list', { name: 'Für dich empfohlen' }).waitFor()
  expect(await width(page)).toBe(320)
  await page.getByRole('list', { name: 'Für dich empfohlen' }).scrollIntoViewIfNeeded()
  await screen.picture('recommendations-home-320')
  expect(await screen.axe()).toEqual([])
})

test('REC-1 what is elsewhere opens safely and its pictures are not fetched; sources apart, and one that fails', async () => {
  const elsewhere = (externalId: string, more: object) => ({
    externalId,
    title: `Elsewhere ${externalId}`,
    score: 0.4,
    reason: 'Others who liked it liked this.',
    coverUrl: 'https://covers.example.org/1.jpg',
    ...more,
  })
  const set = async (name: string, displayName: string, config: object): Promise<string> => {
    const body = {
      name,
      displayName,
      command: 'node',
      args: ['recommending/recommends.mjs'],
      enabled: true,
      enabledFor: 'everybody' as const,
      config: { ...config },
    }
    const { plugin } = bodyOf(await app.admin.call(api.createPlugin, { body }))
    expect(bodyOf(await app.admin.call(api.testPlugin, { params: plugin })).success).toBe(true)
    return plugin.id
  }
  const far = await set('far', 'Far away', {
    source: 'api:far',
    recommendations: [
      elsewhere('1', {
        externalUrl: 'https://www.example.org/one',
        basedOn: ['Night Train'],
        genres: ['Crime', 'Drama'],
        status: 'hiatus',
        startYear: 1999,
        totalVolumeCount: 12,
        rating: 81,
        summary: 'It begins at sea. '.repeat(40),
      }),
      elsewhere('2', { externalUrl: 'javascript:alert(1)', inLibrary: true }),
    ],
  })
  const never = await set('never', 'Never well', { fails: true })
  const visitor = await reader('olga')
  await finish(visitor, 'Night Train')
  await using screen = await app.screen({ as: visitor })
  const { page, requests } = screen
  await screen.open('/recommendations')
  const sources = page.getByRole('list', { name: 'Who recommends' })
  const failing = sources.getByRole('listitem').filter({ hasText: 'Never well' })
  await failing.getByText('Did not work last time').waitFor()
  await failing.getByText('Carrel tries again by itself').waitFor()

  const first = cardOf(page, 'Elsewhere 1')
  await first.getByText('1999 · On hiatus · 12 volumes · rated 81 of 100 · Crime, Drama').waitFor()
  await first.getByText('Also because of Night Train.').waitFor()
  await first.getByText('Source: Far away').waitFor()
  const link = first.getByRole('link', { name: 'Look at www.example.org: Elsewhere 1' })
  expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual(['noopener noreferrer', '_blank'])
  expect(await cardOf(page, 'Elsewhere 2').getByRole('link').count()).toBe(0)
  expect(requests.filter((each) => each.includes('covers.example.org'))).toEqual([])
  expect(await screen.axe()).toEqual([])
  await screen.picture('recommendations-elsewhere')

  await page.getByLabel('Order').selectOption({ label: 'Each source by itself' })
  await page.waitForURL(/\?sort=source$/)
  await page.getByRole('heading', { level: 2, name: 'Far away' }).waitFor()
  await page.getByRole('heading', { level: 2, name: builtIn.displayName }).waitFor()
  await screen.picture('recommendations-by-source')
  await page.getByLabel('Recommended by').selectOption({ label: 'Far away' })
  await page.waitForURL(/source=api:far&sort=source$/)
  await page.getByRole('heading', { level: 2, name: builtIn.displayName }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { level: 2, name: 'Far away' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
  await page.getByLabel('Recommended by').selectOption({ label: 'Never well' })
  await page.getByText('Nothing from this source').waitFor()
  for (const id of [far, never]) bodyOf(await app.admin.call(api.removePlugin, { params: { id } }))
})
