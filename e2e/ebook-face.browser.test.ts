import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pixelsOf } from '../packages/server/test/pixels.ts'
import { type EbookApp, startEbookApp, textBooks } from './ebook-books.ts'
import { chapterOf, inView, reader, sees } from './ebook-steps.ts'

let app: EbookApp
beforeAll(async () => {
  app = await startEbookApp(textBooks())
})
afterAll(() => app[Symbol.asyncDispose]())

const sheetOf = (page: Page) => page.getByRole('complementary', { name: 'How it looks' })
const choose = (page: Page, name: string) => sheetOf(page).getByRole('radio', { name, exact: true }).check()

const side = 8

/** The colours of all squares of one colour: what text, lines and pictures do not fill. */
const groundsOf = async (page: Page): Promise<Readonly<Record<string, number>>> => {
  const { width, height, at } = await pixelsOf(await page.screenshot())
  const colourAt = (x: number, y: number): string =>
    `#${at(x, y)
      .map((channel) => channel.toString(16).padStart(2, '0'))
      .join('')}`
  const counts = new Map<string, number>()
  for (let top = 0; top + side <= height; top += side) {
    for (let left = 0; left + side <= width; left += side) {
      const colours = new Set<string>()
      for (let pixel = 0; pixel < side * side; pixel += 1)
        colours.add(colourAt(left + (pixel % side), top + Math.floor(pixel / side)))
      const [colour = ''] = colours
      if (colours.size === 1) counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
  }
  return Object.fromEntries(counts)
}

test.each([
  ['Sepia', '#f4ead6'],
  ['Black', '#000000'],
] as const)(
  'E1 in %s everything is on one ground: text, margins, bars, and what the system paints',
  async (paper, page0) => {
    await using screen = await app.screen({ as: await reader(app, `face-${paper.toLowerCase()}`) })
    const { page } = screen
    await screen.open(`/read/${app.idOf('Novel 1.epub')}?at=0.3`)
    await page.keyboard.press('s')
    await choose(page, paper)
    await page.keyboard.press('Escape')
    await sheetOf(page).waitFor({ state: 'detached' })
    // The mouse at the edge holds the bars.
    await page.mouse.move(640, 10)
    await page.locator('[data-at=top][data-shown=true]').waitFor()
    await expect.poll(async () => Object.keys(await groundsOf(page))).toEqual([page0])
    expect(await page.evaluate('document.querySelector("meta[name=theme-color]").content')).toBe(page0)
    expect(await page.evaluate("getComputedStyle(document.querySelector('[data-at=bottom]')).backgroundColor")).toBe(
      await page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor"),
    )
    await screen.picture(`ebook-face-${paper}`)
  },
)

/** How many letters stand on each line of the paragraphs in view but their last. */
const lettersInLines = `(() => {
  const found = []
  for (const paragraph of document.querySelectorAll('p')) {
    const text = paragraph.firstChild
    if (!text || text.nodeType !== 3) continue
    const lines = new Map()
    for (let at = 0; at < text.length; at += 1) {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      const { left, top } = range.getBoundingClientRect()
      const column = [...paragraph.getClientRects()].findIndex((rect) => left >= rect.left - 1 && left <= rect.right + 1)
      const key = column + ' ' + Math.round(top)
      lines.set(key, (lines.get(key) ?? 0) + 1)
    }
    found.push(...[...lines.values()].slice(0, -1))
  }
  return found.slice(0, 60)
})()`

test('E2 at 112 % on a wide window a line has 45 to 75 letters, and more room makes a second column', async () => {
  await using screen = await app.screen({ as: await reader(app, 'face-lines') })
  const { page } = screen
  await page.setViewportSize({ width: 1440, height: 900 })
  await screen.open(`/read/${app.idOf('Novel 1.epub')}?at=0.3`)
  await page.keyboard.press('s')
  for (const size of ['106 %', '112 %']) {
    await sheetOf(page).getByRole('button', { name: 'Larger' }).click()
    await sheetOf(page).getByText(size).waitFor()
  }
  await page.keyboard.press('Escape')
  await sheetOf(page).waitFor({ state: 'detached' })
  const columns = () => chapterOf(page).evaluate<string>('getComputedStyle(document.documentElement).columnWidth')
  await expect.poll(async () => Number.parseFloat(await columns())).toBeLessThan(700)
  const lines = await chapterOf(page).evaluate<number[]>(lettersInLines)
  expect(lines.length).toBeGreaterThan(20)
  const usual = lines.toSorted((a, b) => a - b)[Math.floor(lines.length / 2)] ?? 0
  expect(usual).toBeGreaterThanOrEqual(45)
  expect(usual).toBeLessThanOrEqual(75)
  expect(Math.max(...lines)).toBeLessThanOrEqual(80)
  await screen.picture('ebook-face-lines')
})

test('E3 E4 each choice is seen at once beside the sheet, can be read on every paper, and the place is kept', async () => {
  await using screen = await app.screen({ as: await reader(app, 'face-choices') })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Novel 1.epub')}?at=0.3`)
  await sees(page, 'chapter 2')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => inView(page)).not.toContainEqual(expect.stringContaining('Paragraph 1 of'))
  const [first = ''] = await inView(page)
  await page.keyboard.press('s')
  await sheetOf(page).waitFor()
  const styleOf = (of: string) =>
    chapterOf(page).evaluate<string>(`getComputedStyle(document.querySelector('p')).${of}`)
  for (const [paper, colour] of [
    ['Sepia', 'rgb(67, 53, 31)'],
    ['Grey', 'rgb(228, 230, 229)'],
    ['Night', 'rgb(214, 218, 216)'],
    ['Black', 'rgb(185, 191, 188)'],
    ['Paper', 'rgb(34, 35, 31)'],
  ] as const) {
    await choose(page, paper)
    await expect.poll(() => styleOf('color')).toBe(colour)
    expect(await screen.axe('color-contrast')).toEqual([])
    await screen.picture(`ebook-face-sheet-${paper}`)
  }
  await choose(page, 'Mono')
  await expect.poll(() => styleOf('fontFamily')).toContain('monospace')
  await sheetOf(page).getByRole('slider', { name: 'Line height' }).fill('180')
  await sheetOf(page).getByRole('button', { name: 'Larger' }).click()
  await expect.poll(() => styleOf('fontSize')).toBe('16.96px')
  await choose(page, 'Scroll')
  await expect.poll(() => styleOf('columnWidth')).toBe('auto')
  await sees(page, first)
  await choose(page, 'Pages')
  await sees(page, first)
  await page.keyboard.press('Escape')
  await sheetOf(page).waitFor({ state: 'detached' })
  await sees(page, first)
})

test('a note opens where the text refers to it, and what one may do with selected text is never over it', async () => {
  await using screen = await app.screen({ as: await reader(app, 'face-note') })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Novel 1.epub')}`)
  await page.keyboard.press(']')
  await sees(page, 'A remark.')
  const chapter = chapterOf(page)
  const link = chapter.getByRole('link', { name: '1', exact: true })
  await link.click()
  const note = page.getByRole('dialog', { name: 'Note' })
  await note.getByText('1. Whales are no fish.').waitFor()
  const [mark, box] = [await link.boundingBox(), await note.boundingBox()]
  const gap = Math.min(
    Math.abs((box?.y ?? 0) - ((mark?.y ?? 0) + (mark?.height ?? 0))),
    Math.abs((mark?.y ?? 0) - ((box?.y ?? 0) + (box?.height ?? 0))),
  )
  expect(gap).toBeLessThan(24)
  expect(await screen.axe()).toEqual([])
  await page.keyboard.press('Escape')
  await note.waitFor({ state: 'detached' })

  await chapter.evaluate(`(() => {
    const text = document.querySelector('#p2-1').firstChild
    getSelection().setBaseAndExtent(text, 0, text, 24)
  })()`)
  const bar = page.getByRole('toolbar', { name: 'The selected text' })
  await bar.waitFor()
  const text = await chapter.evaluate<{ y: number; height: number }>(`(() => {
    const { top, height } = getSelection().getRangeAt(0).getBoundingClientRect()
    return { y: top + frameElement.getBoundingClientRect().top, height }
  })()`)
  const barBox = await bar.boundingBox()
  const isBeside = (barBox?.y ?? 0) + (barBox?.height ?? 0) <= text.y || (barBox?.y ?? 0) >= text.y + text.height
  expect(isBeside).toBe(true)
})
