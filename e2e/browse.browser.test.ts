import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { comic } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, everySize, hostileTitle, type Screen, settled, startApp, usualBooks } from './app.ts'

/** Enough to scroll through, and for letters. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const many = Array.from({ length: 120 }, (_, index) => {
  const name = `${letters[index % 26] ?? ''} series ${String(index).padStart(3, '0')}`
  return { path: `${name}/${name} 1.cbz`, pages: 1, info: { Series: name, Number: 1 } }
})

let app: App
beforeAll(async () => {
  app = await startApp({ books: [...usualBooks, ...many] })
})
afterAll(() => app[Symbol.asyncDispose]())

const cells = (screen: Screen) => screen.page.getByRole('gridcell')
/** It returns where a title stands in the window. */
const topOf = async (screen: Screen, title: string): Promise<number | undefined> =>
  (await screen.page.getByRole('link', { name: title }).first().boundingBox())?.y

test.each([
  { size: 'desktop', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
] as const)('from home to a book at $size size in $scheme', async ({ size, scheme }) => {
  await using screen = await app.screen({ size, scheme })
  const { page } = screen

  await screen.open('/')
  await page.getByRole('list', { name: 'Recently added' }).waitFor()
  await screen.picture(`home-${size}-${scheme}`)
  expect(await screen.axe()).toEqual([])
  expect(await screen.jumps()).toEqual([])

  await screen.open('/libraries')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Comics/ })
    .click()
  await page.getByText('125 series', { exact: true }).waitFor()
  await settled(page)
  await screen.picture(`library-${size}-${scheme}`)
  expect(await screen.axe()).toEqual([])

  await screen.open('/series?view=table&sort=-name')
  await page.getByRole('columnheader', { name: 'Unread' }).waitFor(size === 'phone' ? { state: 'hidden' } : {})
  await settled(page)
  await screen.picture(`table-${size}-${scheme}`)
  expect(await screen.axe()).toEqual([])

  await screen.open('/series?genre=Fantasy')
  await page.getByText('1 series', { exact: true }).waitFor()
  await settled(page)
  await page.getByRole('link', { name: /Saga of the Stars/ }).click()
  await page.getByRole('heading', { name: 'Saga of the Stars', level: 1 }).waitFor()
  await page.getByText('4 books').first().waitFor()
  await settled(page)
  await screen.picture(`series-${size}-${scheme}`)
  expect(await screen.axe()).toEqual([])
  await page.getByRole('grid', { name: 'Books of Saga of the Stars' }).getByRole('link').nth(1).click()

  await page.getByRole('link', { name: /Next in the series/ }).waitFor()
  await settled(page)
  await screen.picture(`book-${size}-${scheme}`)
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'More', exact: true }).click()
  expect(await page.getByRole('menuitem', { name: 'Edit metadata' }).getAttribute('href')).toMatch(/\/books\/.*\/edit$/)
  await page.getByRole('menuitem', { name: 'About the file' }).click()
  await page.getByText('CBZ', { exact: true }).waitFor()
})

test('filters stand in the address, as chips, and are kept as a preset', async () => {
  await using screen = await app.screen()
  const { page } = screen

  await screen.open('/series')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('checkbox', { name: /^Fantasy/ }).check()
  await page.getByText('1 series', { exact: true }).waitFor()
  await screen.picture('filters')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Close the filter' }).click()
  expect(page.url()).toBe(`${app.carrel.url}/series?genre=Fantasy`)
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: 'Keep these filters' }).click()
  await page.getByLabel('Name').fill('Dragons')
  await page.getByRole('button', { name: 'Keep' }).click()
  await page.getByRole('button', { name: /Take away/ }).click()
  await page.getByText('125 series', { exact: true }).waitFor()
  expect(page.url()).toBe(`${app.carrel.url}/series`)
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: 'Dragons', exact: true }).click()
  await page.getByText('1 series', { exact: true }).waitFor()
  await page.goBack()
  await page.getByText('125 series', { exact: true }).waitFor()
})

test.each(everySize)(
  'no letter lies over what is above the list at %s size, the filter beside it or not',
  async (size) => {
    await using screen = await app.screen({ size })
    const { page } = screen
    for (const view of ['/series', '/series?view=table']) {
      await screen.open(view)
      const letters = page.getByRole('navigation', { name: 'Letters' })
      await letters.waitFor()
      const filter = page.getByRole('button', { name: 'Filter', exact: true })
      if (size === 'desktop' && view === '/series') await filter.click()
      const [rail, tools] = [
        await letters.boundingBox(),
        await page.getByRole('group', { name: 'How the list is shown' }).boundingBox(),
      ]
      expect(rail?.y).toBeGreaterThanOrEqual((tools?.y ?? Infinity) + (tools?.height ?? 0))
      // All of them are seen before anything is scrolled.
      expect((rail?.y ?? Infinity) + (rail?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
      await page.mouse.wheel(0, 3000)
      await expect.poll(async () => (await letters.boundingBox())?.y).toBeLessThan(200)
      expect(await letters.isVisible()).toBe(true)
    }
  },
)

test.each(['desktop', 'phone'] as const)('Back leads to the same place at %s size, a reload too', async (size) => {
  await using screen = await app.screen({ size })
  const { page } = screen

  await screen.open('/series')
  await page.getByRole('button', { name: 'To S', exact: true }).click()
  await page.getByRole('link', { name: /^S series 018/ }).waitFor()
  await page.mouse.wheel(0, 137)
  await settled(page)
  await page.getByRole('link', { name: 'T series 045' }).scrollIntoViewIfNeeded()
  const before = await topOf(screen, 'T series 045')
  expect(before).toBeDefined()
  expect(await cells(screen).count()).toBeLessThan(80)
  await page.getByRole('link', { name: 'T series 045' }).click()
  await page.getByRole('heading', { name: 'T series 045', level: 1 }).waitFor()
  // A number of which nobody says what it counts is said once.
  const lines = page.getByRole('article').first().locator('a > span:nth-child(2)')
  expect(await lines.textContent()).toBe('No. 1')
  await page.goBack()
  await page.getByRole('link', { name: 'T series 045' }).waitFor()
  await settled(page)
  expect(await topOf(screen, 'T series 045')).toBeCloseTo(before ?? 0, 0)
  await page.reload()
  await page.getByRole('link', { name: 'T series 045' }).waitFor()
  await settled(page)
  expect(await topOf(screen, 'T series 045')).toBeCloseTo(before ?? 0, 0)
})

test('a scan that adds series shows them, and what one looks at stays where it is', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series')
  await page.getByRole('button', { name: 'To S', exact: true }).click()
  await page.getByRole('link', { name: /^S series 018/ }).waitFor()
  await settled(page)
  const before = await topOf(screen, 'S series 018')

  for (let index = 0; index < 8; index += 1) {
    const name = `A newcomer ${index}`
    const info = comicInfoXml({ Series: name, Number: 1 })
    await app.folder.write(`${name}/${name}.cbz`, comic({ seed: 900 + index, pages: 1, comicInfo: info }))
  }
  bodyOf(await app.admin.call(api.scanLibrary, { params: { id: app.libraryId } }))

  await page.getByText('133 series', { exact: true }).waitFor()
  await settled(page)
  expect(await topOf(screen, 'S series 018')).toBeCloseTo(before ?? 0, 0)
  await page.getByRole('button', { name: 'To A', exact: true }).click()
  await page.getByRole('link', { name: 'A newcomer 0' }).waitFor()
})

test('the keyboard alone: through the grid, choosing, marking as read and putting it back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series?sort=-name')
  await page.getByRole('link', { name: /進撃の巨人/ }).focus()
  await page.keyboard.press('ArrowRight')
  const second = page.getByRole('link', { name: /^Z series 103/ })
  await expect.poll(() => second.evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('x')
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('2 series').waitFor()
  await screen.picture('selection')
  expect(await screen.axe()).toEqual([])
  await bar.getByRole('button', { name: 'Mark as read' }).click()
  await page.getByText('2 series are marked as read.').waitFor()
  await page.getByRole('link', { name: /^Z series 103.*Read/ }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: /^Z series 103.*1 unread/ }).waitFor()
})

const cbl = `<?xml version="1.0"?><ReadingList><Name>Star event</Name><Books>
<Book Series="Saga of the Stars" Number="3" Year="2013"/><Book Series="Saga of the Stars" Number="1" Year="2013"/>
<Book Series="Nowhere To Be Found" Number="7" Year="1999"/></Books></ReadingList>`

test('a read list comes from a .cbl file, is put in order, and waits for what is missing', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open('/read-lists')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'event.cbl', mimeType: 'text/xml', buffer: Buffer.from(cbl) })
  const report = page.getByRole('dialog', { name: 'Star event' })
  await report.getByText('2 books are found.').waitFor()
  await report.getByText('1 is not found').click()
  await report.getByText('Nowhere To Be Found #7').waitFor()
  expect(await screen.axe()).toEqual([])
  await report.getByRole('button', { name: 'Create the list' }).click()
  await page.getByRole('heading', { name: 'Star event' }).waitFor()
  await page.getByText('1 book is not there yet').waitFor()
  await settled(page)
  await screen.picture('read-list')
  expect(await screen.axe()).toEqual([])

  await page.getByRole('button', { name: 'Move Saga of the Stars 1, now number 2' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Move Saga of the Stars 1, now number 1' }).waitFor()
  await page.getByRole('button', { name: 'Take out Saga of the Stars 1' }).click()
  await page.getByRole('button', { name: 'Move Saga of the Stars 3, now number 1' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Move Saga of the Stars 1, now number 1' }).waitFor()
})

test('series go into a new collection and onto the list of what one wants to read; German says so too', async () => {
  await using screen = await app.screen({ language: 'de', scheme: 'dark' })
  const { page } = screen
  await screen.open('/series?person=Ada+Vaughan')
  await page.getByRole('button', { name: 'Auswählen', exact: true }).click()
  await page.getByRole('link', { name: /Saga of the Stars/ }).click()
  await page.getByRole('button', { name: 'Zu einer Sammlung hinzufügen' }).click()
  await page.getByLabel('Finde eine, oder benenne eine neue').fill('Sterne')
  await page.getByRole('button', { name: '„Sterne“ anlegen' }).click()
  await page.getByText('Zu „Sterne“ hinzugefügt.').waitFor()
  await screen.open('/collections')
  await page.getByRole('link', { name: /Sterne/ }).click()
  await page
    .getByRole('gridcell')
    .getByRole('link', { name: /Saga of the Stars/ })
    .click()
  await page.getByRole('heading', { name: 'Saga of the Stars', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Will ich lesen' }).click()
  await page.getByText('Steht jetzt auf deiner Liste.').waitFor()
  await screen.open('/want-to-read')
  await page.getByRole('link', { name: /Saga of the Stars/ }).waitFor()
  await screen.picture('want-to-read-de')
  expect(await screen.axe()).toEqual([])
})

test('hostile titles are words, on every page', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open('/series')
  await page.getByRole('button', { name: 'To I', exact: true }).click()
  await page.getByRole('link', { name: hostileTitle }).click()
  await page.getByRole('heading', { name: hostileTitle, level: 1 }).waitFor()
  await settled(page)
  expect(await page.locator('img[src=x]').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await screen.picture('hostile-series')
})
