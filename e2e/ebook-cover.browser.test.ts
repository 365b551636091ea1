import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epub } from '../packages/server/test/books/epub.ts'
import { jpeg } from '../packages/server/test/books/pictures.ts'
import { pixelsOf } from '../packages/server/test/pixels.ts'
import { type EbookApp, startEbookApp } from './ebook-books.ts'
import { chapterOf, reader } from './ebook-steps.ts'

const text = '<p>The whale swam on through the cold green water, and nobody on deck said a word.</p>'.repeat(60)
const drawing = `<div style="height:100vh"><svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%" viewBox="0 0 600 900"><image width="600" height="900" href="../images/cover.jpg"/></svg></div>`

const covered = (cover: string): Buffer =>
  epub({
    title: 'A Covered Book',
    chapters: [
      { title: 'Cover', body: cover },
      { title: 'Chapter One', body: `<h1>Chapter One</h1>${text}` },
    ],
    items: [{ name: 'images/cover.jpg', mediaType: 'image/jpeg', bytes: jpeg({ width: 600, height: 900, seed: 5 }) }],
  })

let app: EbookApp
beforeAll(async () => {
  app = await startEbookApp({
    'Picture/Picture 1.epub': covered('<p><img src="../images/cover.jpg" alt="The cover"/></p>'),
    'Drawing/Drawing 1.epub': covered(drawing),
  })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Where the picture of the chapter in view lies in the window. */
const pictureOf = (page: Page) =>
  chapterOf(page).evaluate<{ left: number; right: number; top: number; bottom: number }>(`(() => {
    const frame = frameElement.getBoundingClientRect()
    const { left, right, top, bottom } = document.querySelector('svg image, img').getBoundingClientRect()
    return { left: left + frame.left, right: right + frame.left, top: top + frame.top, bottom: bottom + frame.top }
  })()`)

test.each(['Picture', 'Drawing'])(
  'the cover of a book stands alone in the middle of its first spread: %s',
  async (name) => {
    await using screen = await app.screen({ as: await reader(app, `cover-${name.toLowerCase()}`) })
    const { page } = screen
    await screen.open(`/read/${app.idOf(`${name} 1.epub`)}`)
    const isDrawn = '[...document.querySelectorAll("img")].every(({ naturalWidth }) => naturalWidth > 0)'
    await expect.poll(() => chapterOf(page).evaluate<boolean>(isDrawn)).toBe(true)
    const cover = await pictureOf(page)
    await screen.picture(`ebook-cover-${name}`)
    const { width, height, at } = await pixelsOf(await page.screenshot())
    // It is seen, and nothing is beside it.
    const ground = at(40, 430).join(' ')
    const middle = [-60, 0, 60].map((by) => at(Math.round(width / 2) + by, Math.round(height / 2)).join(' '))
    expect(middle).not.toContain(ground)
    expect([at(width - 40, 430).join(' '), at(200, 200).join(' ')]).toEqual([ground, ground])
    expect(Math.abs((cover.left + cover.right) / 2 - width / 2)).toBeLessThan(12)
    expect(Math.abs((cover.top + cover.bottom) / 2 - height / 2)).toBeLessThan(40)
    expect(cover.bottom - cover.top).toBeGreaterThan(height * 0.6)
    expect(cover.top).toBeGreaterThanOrEqual(0)
    // The text begins on the next spread, in two columns.
    await page.keyboard.press('ArrowRight')
    await page.getByText('Chapter One').first().waitFor()
    await expect.poll(() => chapterOf(page).evaluate<number>('document.querySelectorAll("img, svg").length')).toBe(0)
  },
)

test('Ctrl+K opens the palette over a book, also from within its text, and closed again the text has the keys', async () => {
  await using screen = await app.screen({ as: await reader(app, 'cover-palette') })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Picture 1.epub')}?at=0.5`)
  const where = page.getByTestId('where')
  const before = await where.textContent()
  await chapterOf(page).evaluate('window.focus()')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and go' })
  await palette.getByRole('combobox').fill('stat')
  await palette.getByRole('option', { name: /Statistics/ }).waitFor()
  await screen.picture('ebook-palette')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  expect(await where.textContent()).toBe(before)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => where.textContent()).not.toBe(before)
  expect(page.url()).toContain(app.idOf('Picture 1.epub'))
})
