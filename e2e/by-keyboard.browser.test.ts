import * as api from '@carrel/api'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { testPassword } from '../packages/server/test/smoke/carrel.ts'
import { type App, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const isFocused = (locator: Locator) => locator.evaluate((element) => element.matches(':focus'))

/** Somebody without a mouse gets there with Tab; a page has few stops, since a grid is one. */
const tabTo = async (page: Page, target: Locator, stopsMax = 25): Promise<void> => {
  await target.waitFor()
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`More than ${stopsMax} stops to ${target.toString()}`)
}

const typed = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

test('AUTH-2 READ-1 without a mouse: from the sign-in through a series into a book, read on, mark, take back, sign out', async () => {
  bodyOf(await app.admin.call(api.createUser, { body: { username: 'role-keys', password: testPassword } }))
  await using screen = await app.screen({ as: null })
  // The requests before signing in and after signing out get 401.
  screen.forgive(/401/)
  const { page } = screen

  await screen.open('/sign-in')
  await tabTo(page, page.getByLabel('User name'))
  await page.keyboard.type('role-keys')
  await page.keyboard.press('Tab')
  await page.keyboard.type(testPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Home' }).waitFor()

  // What a key opens gives the focus back to where one was.
  const arrange = page.getByRole('button', { name: 'Arrange shelves' })
  await arrange.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Arrange shelves' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => isFocused(arrange)).toBe(true)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard' })
  await help.getByText('Go home').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => isFocused(arrange)).toBe(true)

  await typed(page, 'g', 's')
  await page.getByRole('heading', { name: 'Series', level: 1 }).waitFor()
  await tabTo(page, page.getByRole('gridcell').first().getByRole('link').first())
  const series = page.getByRole('link', { name: /^Saga of the Stars/ })
  for (let step = 0; step < 6 && !(await isFocused(series)); step += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Saga of the Stars', level: 1 }).waitFor()

  await page
    .getByRole('main')
    .getByRole('link', { name: /^Read(?! again)/ })
    .waitFor()
  await page.keyboard.press('r')
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Got it' }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.getByTestId('page-count').getByText(/^2/).waitFor()
  const close = page.getByRole('button', { name: 'Close the book' })
  if (!(await close.isVisible())) await page.keyboard.press('m')
  await tabTo(page, close)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^Continue/ }).waitFor()

  await page.keyboard.press('m')
  await page.getByRole('link', { name: /^Read again/ }).waitFor()
  await page.keyboard.press('u')
  await page.getByRole('link', { name: /^Continue/ }).waitFor()
  await tabTo(page, page.getByRole('link', { name: /account|role-keys/i }).first(), 60)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Sign out' }), 60)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})
