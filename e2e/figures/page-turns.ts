import { loadavg } from 'node:os'
import * as api from '@carrel/api'
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { drawnPage } from '../../packages/server/test/books/pdf-corpus.ts'
import { zip } from '../../packages/server/test/books/zip.ts'
import { bodyOf } from '../../packages/server/test/outcome.ts'
import { waitUntil } from '../../packages/server/test/smoke/wait-until.ts'
import { type App, scannedLibrary, startApp } from '../app.ts'
import { reader } from '../ebook-steps.ts'

// `npm run bench:reader` runs this: what the main thread of a browser does to turn a page. It asserts nothing.

const pageCount = 60
const turns = 25

const filters = { brightness: 90, contrast: 115, warmth: 40 }

const addComic = async (app: App): Promise<string> => {
  // Scans are as large as this.
  const pages = await Promise.all(Array.from({ length: pageCount }, (_, index) => drawnPage(index, 1600, 2400)))
  const members = pages.map(({ bytes }, index) => ({
    name: `${String(index + 1).padStart(3, '0')}.jpg`,
    bytes,
    method: 'stored' as const,
  }))
  await app.folder.write('Turned/Turned 1.cbz', zip(members))
  const libraryId = await scannedLibrary(app.admin, app.folder.path)
  return bodyOf(await app.admin.call(api.listBooks, { query: { libraryId } })).data[0]?.id ?? ''
}

/** What the main thread has done so far, in milliseconds of its processor. */
const workOf = async (session: CDPSession): Promise<Readonly<Record<string, number>>> => {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]))
}

const turnOnce = async (page: Page, session: CDPSession, key: string): Promise<Readonly<Record<string, number>>> => {
  const shown = page.getByTestId('page-count')
  const from = await shown.textContent()
  await waitUntil('all that is under way', () =>
    page.evaluate<boolean>('[...document.images].every(({ complete }) => complete)'),
  )
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const before = await workOf(session)
  await page.keyboard.press(key)
  // Until it is painted, with what the browser itself does for that.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const after = await workOf(session)
  await waitUntil('the turned page', async () => (await shown.textContent()) !== from)
  return Object.fromEntries(
    ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].map((name) => [
      name,
      (after[name] ?? 0) - (before[name] ?? 0),
    ]),
  )
}

const quantile = (values: readonly number[], part: number): string =>
  (values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? 0).toFixed(1)

test('R4 what a turned page takes, filtered and not', { timeout: 1_200_000 }, async () => {
  await using app = await startApp({ books: [] })
  const id = await addComic(app)
  for (const [name, values] of [
    ['as drawn', { brightness: 100, contrast: 100, warmth: 0 }],
    ['filtered', filters],
  ] as const) {
    const as = await reader(app, values.brightness === 100 ? 'as-drawn' : 'filtered')
    const params = { level: 'user', id: bodyOf(await as.call(api.readMe, {})).id } as const
    bodyOf(await as.call(api.saveReaderSettings, { params, body: { values } }))
    await using screen = await app.screen({ as })
    const session = await screen.context.newCDPSession(screen.page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await screen.open(`/read/${id}?page=2`)
    const work: Readonly<Record<string, number>>[] = []
    // The first turn hides the bars; it is one as well.
    for (let turn = 0; turn < turns; turn += 1) work.push(await turnOnce(screen.page, session, 'ArrowRight'))
    expect(work).toHaveLength(turns)
    for (const what of ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']) {
      const values = work.map((each) => each[what] ?? 0)
      const [median, most, max] = [quantile(values, 0.5), quantile(values, 0.9), quantile(values, 1)]
      console.log(`  figure: page turn, ${name}, ${what}: median ${median} ms, 90 % ${most} ms, most ${max} ms`)
    }
    console.log(
      `  load of the machine: ${loadavg()
        .map((each) => each.toFixed(1))
        .join(' ')}`,
    )
  }
})
