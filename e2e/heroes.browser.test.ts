import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { plainPng } from '../packages/server/test/books/pictures.ts'
import { zip } from '../packages/server/test/books/zip.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { type App, scannedLibrary, settled, startApp } from './app.ts'
import { everyScheme, wear } from './schemes.ts'
import { contrastsWithin } from './text-contrast.ts'

/** No cover is harder on text than one that is all of one colour, and these are the ends of what there is. */
const colours = {
  White: '#ffffff',
  Black: '#000000',
  Grey: '#808080',
  Red: '#ff0000',
  Yellow: '#ffff00',
  Blue: '#0000ff',
} as const
const names = Object.keys(colours) as readonly (keyof typeof colours)[]

let app: App
let books: readonly api.BookDto[]
beforeAll(async () => {
  app = await startApp({ books: [] })
  for (const name of names) {
    const page = plainPng({ width: 200, height: 300, colour: colours[name] })
    const info = {
      Series: `The ${name} Book`,
      Number: 1,
      Writer: 'Ada Vaughan',
      Genre: 'Drama, Comedy',
      Year: 2013,
      Publisher: 'Picture House',
      Summary: 'Two families live under one star, and neither of them knows. '.repeat(8),
    }
    const pages = [1, 2, 3, 4].map((number) => ({ name: `${number}.png`, bytes: page, method: 'stored' as const }))
    const members = [{ name: 'ComicInfo.xml', bytes: Buffer.from(comicInfoXml(info)), method: 'stored' as const }]
    await app.folder.write(`The ${name} Book/1.cbz`, zip([...pages, ...members]))
    await app.folder.write(`The ${name} Book/2.cbz`, zip([...pages.slice(1), ...members]))
  }
  await scannedLibrary(app.admin, app.folder.path)
  // What lies behind a hero is made of its cover, and covers are made after all has been read.
  books = await waitUntil('the covers', async () => {
    const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 100, sort: 'number,asc' } }))
    return data.every(({ placeholder }) => placeholder != null) ? data : undefined
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const hero = 'main :has(> [aria-hidden="true"] > canvas)'

const schemes = process.env['TESTS'] === 'all' ? everyScheme : (['light', 'dark'] as const)

/** On a desktop and on a phone, which are one document here. */
const widths = [1440, 390] as const

const tooFaint = async (page: Page, desk: Page): Promise<readonly string[]> => {
  const faint: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await settled(page)
    for (const scheme of schemes) {
      await wear(page, scheme)
      const seen = await contrastsWithin(page, hero, desk)
      expect(seen.length, 'a hero has texts').toBeGreaterThan(2)
      const weak = seen.filter(({ contrast }) => contrast < 4.5)
      faint.push(...weak.map(({ text, contrast }) => `${scheme} at ${width}: ${contrast.toFixed(2)} of "${text}"`))
    }
  }
  return faint
}

test.each(names)(
  'A2 on a cover that is all %s every text of a hero has a contrast of 4.5 with what is beneath it',
  async (name) => {
    const book = books.find(({ seriesName }) => seriesName === `The ${name} Book`)
    if (!book) throw new Error(`There is no ${name} book`)
    bodyOf(await app.admin.call(api.saveProgress, { params: { id: book.id }, body: { currentPage: 2 } }))
    await using screen = await app.screen()
    const desk = await screen.context.newPage()
    await screen.open(paths.home())
    await screen.page.getByRole('heading', { name: `The ${name} Book` }).waitFor()
    expect.soft(await tooFaint(screen.page, desk), 'home').toEqual([])
    await screen.open(paths.series(book.seriesId ?? ''))
    expect.soft(await tooFaint(screen.page, desk), 'series').toEqual([])
  },
)

test('beside a hero the place of the scrollbar is no strip without its colour, also where the page fits', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await page.setViewportSize({ width: 2560, height: 1400 })
  await screen.open(paths.series(books[0]?.seriesId ?? ''))
  await settled(page)
  const overflow = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).overflowY')
  expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true)
  expect(await overflow()).toBe('scroll')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  expect(await overflow()).toBe('hidden')
})
