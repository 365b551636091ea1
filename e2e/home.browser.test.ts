import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { amissInBothSchemes, type App, type Screen, settled, startApp } from './app.ts'

const volumes = (series: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    path: `${series}/${series} v${String(index + 1).padStart(2, '0')}.cbz`,
    pages: 6,
    info: { Series: series, Volume: index + 1, Writer: 'Ada Vaughan', ...more },
  }))

let app: App
let bookOf: (series: string, volume: number) => string
beforeAll(async () => {
  app = await startApp({
    books: [
      ...volumes('Night Parade', 3, { Manga: 'YesAndRightToLeft' }),
      ...volumes('Steel Orchard', 12),
      ...Array.from({ length: 16 }, (_, index) => volumes(`Series ${index + 1}`, 1)).flat(),
    ],
  })
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 100 } }))
  bookOf = (series, volume) =>
    data.find((book) => book.seriesName === series && book.volume === volume)?.id ?? 'no such book'
})
afterAll(() => app[Symbol.asyncDispose]())

const seriesOf = async (title: string): Promise<string> => {
  const { data } = bodyOf(await app.admin.call(api.listSeries, { query: { pageSize: 100 } }))
  return data.find((series) => series.title === title)?.id ?? 'no such series'
}
const turn = async (id: string, currentPage: number): Promise<void> => {
  bodyOf(await app.admin.call(api.saveProgress, { params: { id }, body: { currentPage } }))
}
const forget = async (id: string): Promise<void> => {
  await app.admin.call(api.deleteProgress, { params: { id } })
}
const hero = (page: Page) => page.getByRole('region', { name: 'Night Parade' })

test('H1 nothing is open: what came last is there to begin with', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  await page.getByText('New in your library').waitFor()
  await page.getByRole('link', { name: 'Start reading' }).click()
  await page.waitForURL(/\/read\//)
  await expect.poll(() => page.getByRole('main').getAttribute('aria-label')).toMatch(/^Page 1 of/)
})

test('H1 H6 the book one is in lies open with its place before it is there, and one click leads into its page', async () => {
  const id = bookOf('Night Parade', 2)
  await turn(bookOf('Series 3', 1), 2)
  await turn(id, 4)
  await using screen = await app.screen()
  const { page } = screen
  await page.setViewportSize({ width: 1440, height: 900 })
  // The pictures of pages wait until their place was measured.
  const { promise: measured, resolve: letThemCome } = Promise.withResolvers<void>()
  await page.route(/\/media\/books\/.*\/pages\//, async (route) => {
    await measured
    await route.continue()
  })
  await page.goto(`${app.carrel.url}/`)
  await hero(page).getByRole('heading', { name: 'Night Parade' }).waitFor()
  await hero(page).getByText('Volume 2').waitFor()
  await hero(page).getByText('page 4 of 6').waitFor()
  const spread = hero(page).locator('a[aria-hidden] > span')
  const before = await spread.boundingBox()
  letThemCome()
  await settled(page)
  expect(await spread.boundingBox()).toEqual(before)
  await expect.poll(() => spread.locator('img').count()).toBe(2)
  expect(await screen.jumps()).toEqual([])
  // Right to left: the later page is at the left.
  const shown = await spread
    .locator('img')
    .evaluateAll((images) => images.map((image) => Number(/pages\/(\d+)/.exec(image.getAttribute('src') ?? '')?.[1])))
  expect(shown).toEqual([5, 4])
  expect((await hero(page).boundingBox())?.height).toBeLessThanOrEqual(420)
  await page
    .getByRole('region', { name: 'Also open' })
    .getByRole('link', { name: /Series 3/ })
    .waitFor()
  expect(await amissInBothSchemes(screen, 'home-hero')).toEqual([])
  await page.emulateMedia({ forcedColors: 'active' })
  const outline = `getComputedStyle(document.querySelector('[aria-labelledby="also"] progress')).outlineStyle`
  expect(await page.evaluate(outline)).toBe('solid')
  const isMarked = `(() => {
    const marked = document.createElement('i')
    marked.style.cssText = 'background: Highlight; forced-color-adjust: none'
    document.body.append(marked)
    const groundOf = (each) => getComputedStyle(each).backgroundColor
    return groundOf(document.querySelector('nav [aria-current="page"]')) === groundOf(marked)
  })()`
  expect(await page.evaluate(isMarked)).toBe(true)
  await screen.picture('home-forced')
  await page.emulateMedia({ forcedColors: null })

  await hero(page).getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(/\/read\//)
  await page.getByRole('main', { name: 'Page 4 of 6' }).waitFor()
})

test('H1 a book is taken off the list for now and put back, and what is read leaves it', async () => {
  const id = bookOf('Night Parade', 2)
  await turn(bookOf('Series 3', 1), 2)
  await turn(id, 5)
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  const choose = async (name: string) => {
    await page.getByRole('region').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Not now')
  await page.getByRole('region', { name: 'Series 3' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await hero(page).waitFor()
  await choose('Start over')
  await hero(page).getByText('page 1 of 6').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await hero(page).getByText('page 5 of 6').waitFor()
  await choose('Mark as read')
  await page.getByRole('region', { name: 'Series 3' }).waitFor()
  expect(await hero(page).count()).toBe(0)
  await forget(id)
})

test('H2 H4 at the start few pictures are asked for, and no series is new twice', async () => {
  await turn(bookOf('Night Parade', 2), 4)
  await using screen = await app.screen()
  const { page, requests } = screen
  await page.setViewportSize({ width: 1440, height: 900 })
  await screen.open('/')
  const shelf = page.getByRole('list', { name: 'Recently added', exact: true })
  const steel = shelf.getByRole('link').filter({ hasText: 'Steel Orchard' })
  await expect.poll(() => steel.count()).toBe(1)
  expect(await steel.textContent()).toContain('12 volumes · 1–12')
  const pictures = requests.filter((address) => address.includes('/media/'))
  console.log(`  figure: ${pictures.length} pictures of covers and pages`)
  expect(pictures.length).toBeLessThanOrEqual(30)
  expect(await screen.jumps()).toEqual([])
})

test('H2 a cover just below what is seen is asked for when somebody scrolls, not before', async () => {
  await using screen = await app.screen()
  const { page } = screen
  const shelf = page.getByRole('list', { name: 'Recently added', exact: true })
  await screen.open('/')
  const { y } = (await shelf.boundingBox()) ?? { y: 0 }
  await page.setViewportSize({ width: 1280, height: Math.round(y) - 60 })
  await page.reload()
  await settled(page)
  expect(await shelf.locator('img').count()).toBe(0)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => shelf.locator('img').count()).toBeGreaterThan(4)
})

test('H3 a mouse without a wheel, and the arrow keys, come to the last card of a shelf', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  const cards = page.getByRole('list', { name: 'Recently added', exact: true }).getByRole('listitem')
  const on = page.getByRole('button', { name: 'Recently added: on' })
  const seen = async (index: number): Promise<boolean> => {
    const box = await cards.nth(index).boundingBox()
    return box !== null && box.x >= 0 && box.x + box.width <= 1281
  }
  const last = (await cards.count()) - 1
  expect(await seen(last)).toBe(false)
  const { x = 0, y = 0 } = (await on.boundingBox()) ?? {}
  await expect
    .poll(async () => {
      await page.mouse.click(x + 8, y + 8)
      return seen(last)
    })
    .toBe(true)
  await cards.first().getByRole('link').focus()
  await page.keyboard.press('ArrowRight')
  const isFocused = (index: number) =>
    cards
      .nth(index)
      .getByRole('link')
      .evaluate((element) => element.matches(':focus'))
  expect(await isFocused(1)).toBe(true)
  await page.keyboard.press('End')
  expect(await isFocused(last)).toBe(true)
})

test('H5 on a phone the title, how far one is and the way on are seen without scrolling', async () => {
  await turn(bookOf('Night Parade', 2), 4)
  await using screen = await app.screen({ size: 'phone', scheme: 'dark', language: 'de' })
  const { page } = screen
  await screen.open('/')
  const bar = await page.getByRole('navigation').last().boundingBox()
  const end = async (name: string) => {
    const box = await page.getByRole('region', { name: 'Night Parade' }).getByRole('link', { name }).boundingBox()
    return (box?.y ?? Infinity) + (box?.height ?? 0)
  }
  expect(await end('Weiterlesen')).toBeLessThan(bar?.y ?? 0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await screen.picture('home-phone-dark')
  expect(await screen.axe()).toEqual([])
})

describe('far below', () => {
  const last = 'Recently updated series'
  beforeAll(async () => {
    await turn(bookOf('Night Parade', 2), 4)
    bodyOf(await app.admin.call(api.markBookRead, { params: { id: bookOf('Steel Orchard', 1) } }))
    bodyOf(await app.admin.call(api.followSeries, { params: { id: await seriesOf('Steel Orchard') } }))
    bodyOf(await app.admin.call(api.saveHomeLayout, { body: { layout: [...api.homeShelves] } }))
  })
  afterAll(async () => {
    bodyOf(await app.admin.call(api.saveHomeLayout, { body: { layout: null } }))
  })
  const openLow = async (screen: Screen): Promise<void> => {
    await screen.page.setViewportSize({ width: 390, height: 420 })
    await screen.open('/')
    await screen.page.getByRole('heading', { name: 'Next in your series' }).waitFor()
  }
  const scrollToLast = async (page: Page) => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.getByRole('heading', { name: last }).scrollIntoViewIfNeeded()
    await settled(page)
    const first = page.getByRole('list', { name: last }).getByRole('link').first()
    // A click would scroll to what it clicks.
    await first.focus()
    return { first, top: await page.evaluate<number>('scrollY') }
  }
  const goBackTo = async (page: Page, top: number): Promise<void> => {
    await page.goBack()
    await page.getByRole('heading', { name: last }).waitFor()
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(top)
  }

  test('H2 what is far below is asked for when it comes near, and Back finds it where it was', async () => {
    await using screen = await app.screen({ size: 'phone' })
    const { page, requests } = screen
    const isAskedFor = (): boolean => requests.some((address) => /\/home\?(?!.*filled)/.test(address))
    await openLow(screen)
    expect(isAskedFor()).toBe(false)
    const { first, top } = await scrollToLast(page)
    expect(isAskedFor()).toBe(true)
    await page.keyboard.press('Enter')
    await first.waitFor({ state: 'detached' })
    await settled(page)
    await goBackTo(page, top)
  })

  test('H2 a short shelf beside the next one has room for its heading, where words are long too', async () => {
    await using screen = await app.screen({ language: 'de' })
    const { page } = screen
    await screen.open('/')
    await page.getByRole('heading', { name: 'Als Nächstes in deinen Serien' }).waitFor()
    const rooms = await page.evaluate<{ heading: string; right: number; end: number }[]>(`
      [...document.querySelectorAll('main section:has(+ section) h2')].map((heading) => {
        const range = document.createRange()
        range.selectNodeContents(heading)
        const next = heading.closest('section').nextElementSibling
        return { heading: heading.textContent, right: range.getBoundingClientRect().right, end: next.getBoundingClientRect().left }
      })`)
    expect(rooms.map(({ heading }) => heading)).toContain('Als Nächstes in deinen Serien')
    expect(rooms.filter(({ right, end }) => right + 16 > end)).toEqual([])
  })

  test('G1 H2 whoever goes back before a page has come finds the one before where it was', async () => {
    await using screen = await app.screen({ size: 'phone' })
    const { page } = screen
    const { promise: over, resolve: letItCome } = Promise.withResolvers<void>()
    await page.route(/\/api\/v1\/series\//, async (route) => {
      await over
      await route.continue()
    })
    await openLow(screen)
    const { first, top } = await scrollToLast(page)
    await page.keyboard.press('Enter')
    await first.waitFor({ state: 'detached' })
    // A skeleton is shorter.
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeLessThan(top)
    await goBackTo(page, top)
    letItCome()
  })
})

test('READ-4 a saved search is a shelf, on this device alone', async () => {
  const preset = bodyOf(
    await app.admin.call(api.createFilterPreset, {
      body: {
        name: 'By Ada',
        scope: 'list',
        target: 'series',
        condition: { author: { operator: 'is', value: 'Ada Vaughan' } },
      },
    }),
  )
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  await page.getByRole('button', { name: 'Arrange shelves' }).click()
  const dialog = page.getByRole('dialog', { name: 'Arrange shelves' })
  await dialog.getByRole('switch', { name: 'On this device only' }).click()
  await dialog.getByRole('checkbox', { name: 'By Ada' }).check()
  expect(await screen.axe()).toEqual([])
  await screen.picture('home-arrange')
  await dialog.getByRole('button', { name: 'Done' }).click()
  const shelf = page.getByRole('list', { name: 'By Ada' })
  await page.getByRole('heading', { name: 'By Ada' }).scrollIntoViewIfNeeded()
  await shelf.getByRole('link', { name: /Steel Orchard/ }).waitFor()
  expect(bodyOf(await app.admin.call(api.readHome, {})).layout).not.toContain(`search:${preset.id}`)
  await page.getByRole('link', { name: 'By Ada', exact: true }).last().click()
  await page.waitForURL(/\/series\?/)
})
