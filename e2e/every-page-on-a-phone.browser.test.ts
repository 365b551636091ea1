import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { checkPage, groups, long, pages, startHostileApp, timeout } from './hostile-app.ts'
import { lookFor, overhangOf } from './schemes.ts'

let app: Awaited<ReturnType<typeof startHostileApp>>
beforeAll(async () => {
  app = await startHostileApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test.each(groups)(
  'on a phone in German, $from to $to: every page as it is opened, in a look, and nothing is cut off at 320 pixels',
  { timeout: long },
  async ({ some }) => {
    await using screen = await app.screen({ as: app.visitor, size: 'phone', language: 'de' })
    const { page } = screen
    await page.setViewportSize({ width: 320, height: 640 })
    for (const { name, at, leadsTo, index } of some) {
      await screen.open(at(app.ids))
      if (leadsTo !== undefined) continue
      expect.soft(await screen.jumps(), `${name} does not jump`).toEqual([])
      await expect.poll(() => overhangOf(page), { message: `${name} is no wider`, timeout }).toBe(0)
      await checkPage(screen, name, lookFor(index, 'phone'))
    }
  },
)

test('who is not signed in: the sign-in, for every page there is', async () => {
  await using screen = await app.screen({ as: null })
  screen.forgive(/401/)
  for (const { at } of pages.filter(({ name }) => ['home', 'book', 'read', 'setup'].includes(name))) {
    await screen.open(at(app.ids))
    await screen.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(screen.page.url()).pathname).toBe(paths.signIn())
  }
})
