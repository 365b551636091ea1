import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Screen, settled } from './app.ts'
import { groups, startHostileApp } from './hostile-app.ts'
import { everyScheme, overhangOf, wear } from './schemes.ts'

/**
 * Every page in every look at every width, in English and in the language with the longest words: the whole product, which takes half
 * an hour. What every-page*.browser.test.ts shows of it is in every run.
 */
let app: Awaited<ReturnType<typeof startHostileApp>>
beforeAll(async () => {
  app = await startHostileApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const windows = [
  { size: 'desktop', widths: [1440, 820, 3840] },
  { size: 'phone', widths: [320] },
] as const

const ways = ['en', 'de'].flatMap((language) =>
  windows.flatMap((window) => groups.map((group) => ({ language, ...window, ...group }))),
)

/** All of what axe knows in one look, and of the others, which have the same elements, the colours. */
const amissIn = async (screen: Screen): Promise<readonly string[]> => {
  const amiss: string[] = []
  for (const scheme of everyScheme) {
    await wear(screen.page, scheme)
    const violations = scheme === 'light' ? await screen.axe() : await screen.axe('color-contrast')
    amiss.push(...violations.map((each) => `${scheme}: ${each}`))
  }
  return amiss
}

/** What the system asks for besides a look. */
const amissForEyes = async (screen: Screen): Promise<readonly string[]> => {
  const amiss: string[] = []
  const preferences = { contrast: { contrast: 'more' }, forced: { forcedColors: 'active' } } as const
  for (const [preference, media] of Object.entries(preferences))
    for (const scheme of ['light', 'dark'] as const) {
      await screen.page.emulateMedia({ ...media, colorScheme: scheme })
      await wear(screen.page, scheme)
      amiss.push(...(await screen.axe('color-contrast')).map((each) => `${preference}, ${scheme}: ${each}`))
      await screen.page.emulateMedia({ contrast: null, forcedColors: null, colorScheme: null })
    }
  return amiss
}

const amissAt = async (screen: Screen, width: number): Promise<readonly string[]> => {
  await screen.page.setViewportSize({ width, height: 640 })
  await settled(screen.page)
  const overhang = await overhangOf(screen.page)
  const pushed = overhang > 0 ? [`pushed sideways by ${overhang} pixels`] : []
  const forEyes = width === 1440 ? await amissForEyes(screen) : []
  return [...pushed, ...(await amissIn(screen)), ...forEyes]
}

test.each(ways)(
  'on a $size in $language, $from to $to: axe is content in every look at every width, and nothing is pushed sideways',
  { timeout: 3_600_000 },
  async ({ size, widths, language, some }) => {
    await using screen = await app.screen({ as: app.visitor, size, language })
    for (const { name, at, leadsTo } of some) {
      if (leadsTo !== undefined) continue
      await screen.open(at(app.ids))
      for (const width of widths) expect.soft(await amissAt(screen, width), `${name} at ${width}`).toEqual([])
    }
  },
)
