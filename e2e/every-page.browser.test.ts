import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { settled } from './app.ts'
import { checkPage, evaluate, groups, long, startHostileApp, timeout } from './hostile-app.ts'
import { lookFor, overhangOf } from './schemes.ts'

let app: Awaited<ReturnType<typeof startHostileApp>>
beforeAll(async () => {
  app = await startHostileApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const usual = { width: 1440, height: 900 }

/** A link within the app does it like this, without loading the document again. */
const goWithin = async (page: Page, address: string): Promise<void> => {
  const old = "document.querySelector('h1').dataset.isOld = ''"
  await evaluate(page, `${old}; globalThis.jumps = []; history.pushState({}, '', ${JSON.stringify(address)})`)
  await page.locator('h1:not([data-is-old])').waitFor()
}

const placeOf = async (page: Page) => ({
  address: page.url().slice(app.carrel.url.length),
  heading: await page.locator('h1').first().textContent({ timeout }),
})

test.each(groups)(
  'on a desktop, $from to $to: every page by a link, in a look; reloaded it is the same, Back leads back, nothing is pushed sideways',
  { timeout: long },
  async ({ some }) => {
    await using screen = await app.screen({ as: app.visitor })
    const { page } = screen
    await page.setViewportSize(usual)
    await screen.open(paths.libraries())
    for (const { name, at, leadsTo, isDocument, index } of some) {
      const target = leadsTo ?? at(app.ids)
      if (page.url() === app.carrel.url + target)
        await goWithin(page, target === paths.home() ? paths.libraries() : paths.home())
      const before = await placeOf(page)
      if (isDocument) await screen.open(at(app.ids))
      else await goWithin(page, at(app.ids))
      if (leadsTo !== undefined) {
        await page.waitForURL(app.carrel.url + leadsTo)
        continue
      }
      await page.waitForURL(app.carrel.url + at(app.ids))
      await settled(page)
      expect.soft(await screen.jumps(), `${name} does not jump`).toEqual([])
      // A document that was loaded begins at its top: there the first Tab leads into the page.
      if (isDocument) await page.keyboard.press('Tab')
      const focused = await evaluate<string>(page, 'document.activeElement.closest("main, form, body")?.localName')
      expect.soft(focused, `${name} begins with the page itself`).not.toBe('body')
      await checkPage(screen, name, lookFor(index, 'desktop'))
      for (const width of [820, 3840]) {
        await page.setViewportSize({ width, height: 500 })
        await expect.poll(() => overhangOf(page), { message: `${name} at ${width}`, timeout }).toBe(0)
      }
      await page.setViewportSize(usual)

      const here = await placeOf(page)
      await page.reload()
      await expect.poll(() => placeOf(page), { message: `${name} reloaded`, timeout }).toEqual(here)
      await page.goBack()
      await expect.poll(() => placeOf(page), { message: `back from ${name}`, timeout }).toEqual(before)
    }
  },
)
