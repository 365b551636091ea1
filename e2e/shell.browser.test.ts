import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const sideOf = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true })
const tablet = { width: 820, height: 1180 }

test('S1 S4 libraries are one click away from everywhere, and the present place has a ground and a weight of its own', async () => {
  await using screen = await app.screen()
  const { page } = screen
  for (const size of [{ width: 1440, height: 900 }, tablet]) {
    await page.setViewportSize(size)
    for (const from of ['/', '/statistics', '/account', '/admin']) {
      await screen.open(from)
      await sideOf(page).getByRole('link', { name: 'Comics' }).click()
      await page.waitForURL(`${app.carrel.url}/libraries/${app.libraryId}`)
    }
    const styleOf = (name: string, property: string) =>
      page.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll('nav[aria-label=Main] a')].find((link) => link.textContent.startsWith('${name}'))).${property}`,
      )
    await page.mouse.move(700, 600)
    await expect
      .poll(
        async () => (await styleOf('Comics', 'backgroundColor')) === (await styleOf('Statistics', 'backgroundColor')),
      )
      .toBe(false)
    const [here, elsewhere] = [await styleOf('Comics', 'fontWeight'), await styleOf('Statistics', 'fontWeight')]
    expect(Number(here)).toBeGreaterThan(Number(elsewhere))
    await expect.poll(() => sideOf(page).locator('[aria-current]').count()).toBe(1)
  }
  expect(await screen.axe()).toEqual([])
})

test('S2 a tablet has pictures with names at its side, and at least 88 % of its width for the page', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await page.setViewportSize(tablet)
  await screen.open('/libraries')
  const main = await page.getByRole('main').boundingBox()
  expect((main?.width ?? 0) / tablet.width).toBeGreaterThanOrEqual(0.88)
  const link = sideOf(page).getByRole('link', { name: 'Collections' })
  const label = link.getByText('Collections')
  const opacity = () =>
    page.evaluate<string>(
      'getComputedStyle(document.querySelector("nav[aria-label=Main] a[href=\'/collections\'] span")).opacity',
    )
  expect(await opacity()).toBe('0')
  await link.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect.poll(opacity).toBe('1')
  const box = await label.boundingBox()
  const beside = await link.boundingBox()
  expect(box?.x).toBeGreaterThan((beside?.x ?? 0) + (beside?.width ?? 0))
  expect(
    Math.abs((box?.y ?? 0) + (box?.height ?? 0) / 2 - ((beside?.y ?? 0) + (beside?.height ?? 0) / 2)),
  ).toBeLessThan(3)
  expect(await screen.axe()).toEqual([])
})

test('S3 a phone of 320 pixels has five targets as high as a finger, and the last opens all other places', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await page.setViewportSize({ width: 320, height: 640 })
  await screen.open(`/libraries/${app.libraryId}`)
  const bar = page.getByRole('navigation', { name: 'Main, short' })
  const heights = await page.evaluate<number[]>(
    '[...document.querySelectorAll("nav[aria-label=\'Main, short\'] li > *")].map((each) => each.getBoundingClientRect().height)',
  )
  expect(heights.length).toBe(5)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(48)
  await bar.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL(`${app.carrel.url}/`)
  // The library that was open last.
  await bar.getByRole('link', { name: 'Library' }).click()
  await page.waitForURL(`${app.carrel.url}/libraries/${app.libraryId}`)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.waitForURL(`${app.carrel.url}/`)
  await bar.getByRole('button', { name: 'You' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', { name: 'Read lists' }).waitFor()
  expect(await screen.axe()).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await drawer.getByRole('link', { name: 'Comics' }).click()
  await page.waitForURL(`${app.carrel.url}/libraries/${app.libraryId}`)
  await drawer.waitFor({ state: 'detached' })
  // Whoever is there already comes to the top.
  await page.evaluate('window.scrollTo(0, 400)')
  await bar.getByRole('link', { name: 'Library' }).click()
  await expect.poll(() => page.evaluate('window.scrollY')).toBe(0)
})

test('the bar at the top has a ground only once the page lies under it', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await page.setViewportSize({ width: 1280, height: 500 })
  await screen.open('/series')
  const ground = () =>
    page.evaluate('getComputedStyle(document.querySelector("main").previousElementSibling).backgroundColor')
  expect(await ground()).toBe('rgba(0, 0, 0, 0)')
  await page.mouse.move(700, 300)
  await page.mouse.wheel(0, 200)
  await expect.poll(ground).toBe('rgb(247, 247, 245)')
})

test('L1 L2 a library is shown by its covers, and says how much of it is unread', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/libraries')
  const card = page.getByRole('main').getByRole('article').filter({ hasText: 'Comics' })
  await card.getByText(/5 series · 9 books · 9 unread/).waitFor()
  await expect.poll(() => card.locator('img').count()).toBe(4)
  await expect.poll(() => page.getByRole('main').getByRole('article').count()).toBe(1)

  const [book] = bodyOf(await app.admin.call(api.listBooks, {})).data
  bodyOf(await app.admin.call(api.markBookRead, { params: { id: book?.id ?? '' } }))
  await card.getByText(/5 series · 9 books · 8 unread/).waitFor()
  bodyOf(await app.admin.call(api.markBookUnread, { params: { id: book?.id ?? '' } }))
  await page.getByRole('main').getByRole('link', { name: 'Add a library' }).click()
  await page.waitForURL(`${app.carrel.url}/libraries/new`)
})

test('X1 every empty list has a drawing, and a button that leads on', async () => {
  await using screen = await app.screen()
  const { page } = screen
  for (const path of ['/want-to-read', '/my-series?of=dropped', '/collections', '/read-lists', '/search']) {
    await screen.open(path)
    const drawing = page.getByRole('main').locator('svg[viewBox="0 0 160 104"]')
    await drawing.waitFor()
    const state = drawing.locator('..')
    expect.soft(await state.locator('a, button').count(), path).toBe(1)
  }
  await screen.picture('empty-list')
})

test('what is chosen as accent is worn at once and on other devices, and takes the colours of covers away', async () => {
  await using screen = await app.screen({ scheme: 'dark' })
  const { page } = screen
  await screen.open('/account')
  await page.getByText('Rose', { exact: true }).click()
  const worn = () =>
    page.evaluate(
      '[document.documentElement.dataset.accent, document.documentElement.dataset.tones, getComputedStyle(document.documentElement).getPropertyValue("--accent-text")]',
    )
  await expect.poll(worn).toEqual(['rose', 'off', '#ed9cb5'])
  expect(await screen.axe()).toEqual([])
  await expect
    .poll(async () => bodyOf(await app.admin.call(api.readPreferences, {})).preferences['web.accent'])
    .toBe('rose')
  await page.getByText('Sepia', { exact: true }).click()
  const bars = () => page.evaluate('document.querySelector("meta[name=theme-color]").content')
  await expect.poll(bars).toBe('#f4ecd9')
  expect(await screen.axe('color-contrast')).toEqual([])
  await page.getByText('E-ink, high contrast', { exact: true }).click()
  await expect.poll(bars).toBe('#fff')
  expect(await screen.axe('color-contrast')).toEqual([])
  for (const key of ['web.look', 'web.accent']) await app.admin.call(api.deletePreference, { params: { key } })
})

test('the app can be put among the apps of a device: its manifest and its icons are there, by addresses from the manifest on', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const address = new URL(href ?? '', page.url())
  const response = await fetch(address)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/manifest+json; charset=utf-8',
  ])
  const manifest = (await response.json()) as {
    readonly start_url: string
    readonly scope: string
    readonly icons: readonly { readonly src: string; readonly purpose: string; readonly sizes: string }[]
    readonly shortcuts: readonly { readonly url: string }[]
  }
  expect([manifest.start_url, manifest.scope].map((each) => new URL(each, address).pathname)).toEqual(['/', '/'])
  expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 512x512',
  ])
  for (const { src } of manifest.icons) {
    const icon = await fetch(new URL(src, address))
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
  }
  expect(manifest.shortcuts.map(({ url }) => new URL(url, address).pathname)).toEqual(['/continue', '/search'])
  const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  expect((await fetch(new URL(touch ?? '', page.url()))).status).toBe(200)

  const [book] = bodyOf(await app.admin.call(api.listBooks, {})).data
  bodyOf(await app.admin.call(api.saveProgress, { params: { id: book?.id ?? '' }, body: { currentPage: 2 } }))
  await page.goto(`${app.carrel.url}/continue`)
  await page.waitForURL(`${app.carrel.url}/read/${book?.id}**`)
  bodyOf(await app.admin.call(api.markBookUnread, { params: { id: book?.id ?? '' } }))
})

test('a saved filter stands at the side, and leads to its list', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  const condition = { allOf: [{ genre: { operator: 'is', value: 'Fantasy' } }] } as const
  const preset = bodyOf(
    await app.admin.call(api.createFilterPreset, {
      body: { name: 'Fantastic', scope: 'list', target: 'series', condition },
    }),
  )
  await sideOf(page).getByRole('link', { name: 'Fantastic' }).click()
  await page.waitForURL(/\/series\?.*genre=Fantasy/)
  await page.getByText('1 series').first().waitFor()
  expect(await sideOf(page).locator('[aria-current]').allTextContents()).toContain('Fantastic')
  await app.admin.call(api.deleteFilterPreset, { params: { id: preset.id } })
})
