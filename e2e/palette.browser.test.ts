import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword } from '../packages/server/test/smoke/carrel.ts'
import { type App, settled, startApp, usualBooks } from './app.ts'

let app: App
let begunId: string
beforeAll(async () => {
  app = await startApp({
    books: [
      ...usualBooks,
      {
        path: 'Sea Stories/Sea Stories 3.cbz',
        info: { Series: 'Sea Stories', Number: 3, Title: 'Salt', Writer: 'Ada Vaughan' },
      },
      { path: 'Desert/Desert 1.cbz', info: { Series: 'Desert', Number: 1, Title: 'Salt' } },
      { path: 'Salt/Salt.cbz', info: { Series: 'Salt', Title: 'Salt', Writer: 'Bram Stoker' } },
      { path: 'Ferry/Ferry 2.cbz', pages: 8, info: { Series: 'Night Ferry', Number: 2, Title: 'Two Letters' } },
    ],
  })
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 50 } }))
  const idOf = (series: string): string => data.find(({ seriesName }) => seriesName === series)?.id ?? ''
  const oneShot = { params: { id: idOf('Salt') }, body: { bookType: 'oneshot' } } as const
  bodyOf(await app.admin.call(api.editBookMetadata, oneShot))
  begunId = idOf('Night Ferry')
  bodyOf(await app.admin.call(api.saveProgress, { params: { id: begunId }, body: { currentPage: 5 } }))
})
afterAll(() => app[Symbol.asyncDispose]())

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Search and go' })
const optionsOf = (page: Page) => page.getByRole('listbox', { name: 'Hits' }).getByRole('option')
const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to…' })

test.each([
  { size: 'desktop', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
] as const)('P1 three books called “Salt” are told apart without opening one, on a $size', async (chosen) => {
  await using screen = await app.screen(chosen)
  const { page } = screen
  await screen.open(chosen.size === 'phone' ? '/search' : '/account')
  if (chosen.size === 'phone') await page.getByRole('button', { name: 'Search or jump to…' }).click()
  else await page.keyboard.press('Control+k')
  await fieldOf(page).fill('salt')
  await page.getByRole('option').filter({ hasText: 'Sea Stories' }).waitFor()
  const books = page.getByRole('group', { name: 'Books' }).getByRole('option')
  const texts = (await books.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
  expect(texts.toSorted()).toEqual([
    expect.stringMatching(/^1 Salt Desert · 3 pages Comics/),
    expect.stringMatching(/^3 Salt Sea Stories · 3 pages Comics/),
    expect.stringMatching(/^Salt Bram Stoker · 3 pages Comics/),
  ])
  await books.locator('img').nth(2).waitFor()
  expect(await page.locator('mark').allTextContents()).toEqual(['Salt', 'Salt', 'Salt'])
  await screen.picture(`palette-salt-${chosen.size}-${chosen.scheme}`)
  expect(await screen.axe()).toEqual([])
  if (chosen.size === 'desktop') return
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
})

test.each([
  {
    language: 'en',
    asked: {
      theme: 'Theme',
      language: 'Language',
      backup: 'Make a backup now',
      scan: 'Scan all libraries for changes',
      genre: 'Genres',
    },
  },
  {
    language: 'de',
    asked: {
      Design: 'Aussehen',
      Sprache: 'Sprache',
      Sicherung: 'Jetzt eine Sicherung machen',
      Scan: 'Alle Bibliotheken auf Änderungen durchsehen',
    },
  },
] as const)('P2 settings and actions are offered for words of $language', async ({ language, asked }) => {
  await using screen = await app.screen({ language })
  const { page } = screen
  await screen.open('/')
  await page.keyboard.press('/')
  const field = page.getByRole('combobox')
  for (const [word, name] of Object.entries(asked)) {
    await field.fill(word)
    await page.getByRole('option').filter({ hasText: name }).first().waitFor()
  }
  await field.fill(language === 'en' ? 'forgive' : 'verzeihen')
  await page
    .getByRole('option')
    .filter({ hasText: language === 'en' ? 'Administration · Settings' : 'Verwaltung · Einstellungen' })
    .first()
    .waitFor()
  await screen.picture(`palette-commands-${language}`)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/admin\/settings/)
  expect(new URL(page.url()).search).toBe('?q=search.fuzzy.enabled')
})

test('P2 who may not administer is offered nothing of it', async () => {
  bodyOf(await app.admin.call(api.createUser, { body: { username: 'ida', password: testPassword, role: 'reader' } }))
  await using screen = await app.screen({ as: await signIn(app.carrel, 'ida') })
  const { page } = screen
  await screen.open('/')
  await page.keyboard.press('/')
  await fieldOf(page).fill('sign')
  await optionsOf(page).filter({ hasText: 'Sign out' }).waitFor()
  expect(await optionsOf(page).filter({ hasText: 'Administration' }).count()).toBe(0)
  await fieldOf(page).fill('backup')
  await page.getByText('No hits for “backup”').waitFor()
})

test('P3 Ctrl+K, two letters and Enter are reading, without a mouse', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ni')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/read\//)
  await settled(page)
  expect(new URL(page.url()).pathname).toBe(`/read/${begunId}`)
})

test('P3 before anything is typed, what was opened last stands first; Ctrl+Enter leads to the page about it', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  await page.keyboard.press('Control+k')
  const first = optionsOf(page).first()
  await first.filter({ hasText: 'Two Letters' }).waitFor()
  expect((await first.textContent())?.replaceAll(/\s+/g, ' ')).toMatch(
    /^2 Two Letters Night Ferry · page 5 of 8 Comics/,
  )
  await page.getByRole('group', { name: 'Often used' }).getByRole('option').nth(4).waitFor()
  await screen.picture('palette-empty')
  expect(await screen.axe()).toEqual([])
  await page.keyboard.press('Control+Enter')
  await page.waitForURL((url) => url.pathname === `/books/${begunId}`)
})

test('arrows go over all groups, the field keeps the focus, and what may be done with a line is one arrow away', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  await page.getByRole('button', { name: 'Search or jump to…' }).click()
  const field = fieldOf(page)
  await page.keyboard.type('saga')
  const options = optionsOf(page)
  await options.filter({ hasText: 'Saga of the Stars' }).first().waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /\d+ hits/ })
    .waitFor({ state: 'attached' })
  await screen.picture('palette-dropdown')
  expect(await screen.axe()).toEqual([])
  const activeOf = async () => {
    const id = await field.getAttribute('aria-activedescendant')
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    return page.locator(`[id="${id}"]`).getAttribute('aria-selected')
  }
  const count = await options.count()
  for (let press = 0; press < count; press += 1) {
    expect(await activeOf()).toBe('true')
    expect(await options.nth(press).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
  }
  expect(await options.first().getAttribute('aria-selected')).toBe('true')

  await page.keyboard.press('ArrowRight')
  await options.filter({ hasText: 'Mark as read' }).waitFor()
  await screen.picture('palette-actions')
  expect(await screen.axe()).toEqual([])
  await page.keyboard.press('Escape')
  await options.filter({ hasText: '6 pages' }).first().waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await options.filter({ hasText: 'Want to read' }).waitFor()
  await page.keyboard.press('Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.getByText('It is on your list now.').waitFor()
  expect(await screen.jumps()).toEqual([])
})

test('what is typed while the palette is still being fetched is not lost, and Escape gives the page back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  const fetched = Promise.withResolvers<void>()
  await page.route('**/assets/palette-*.js', async (route) => {
    await fetched.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('attack')
  await page.keyboard.press('Backspace')
  fetched.resolve()
  await fieldOf(page).waitFor()
  expect(await fieldOf(page).inputValue()).toBe('attac')
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
})

test('all hits are a page, which says the number and the series of each', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('salt')
  await page.getByRole('button', { name: 'All hits for “salt”' }).click()
  await page.getByRole('heading', { name: '“salt”' }).waitFor()
  await page.getByRole('button', { name: 'Search: salt' }).click()
  expect(await fieldOf(page).inputValue()).toBe('salt')
})
