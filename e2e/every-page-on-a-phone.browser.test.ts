import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { checkLooks, evaluate, groups, long, pages, startHostileApp, timeout } from './hostile-app.ts'

let app: Awaited<ReturnType<typeof startHostileApp>>
beforeAll(async () => {
  app = await startHostileApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test.each(groups)(
  'on a phone, $from to $to: every page as it is opened, in both looks, and nothing is cut off at 320 pixels',
  { timeout: long },
  async ({ some }) => {
    await using screen = await app.screen({ as: app.visitor, size: 'phone' })
    const { page } = screen
    for (const { name, at, leadsTo } of some) {
      await screen.open(at(app.ids))
      if (leadsTo !== undefined) continue
      expect.soft(await screen.jumps(), `${name} does not jump`).toEqual([])
      await checkLooks(screen, name)
      await page.setViewportSize({ width: 320, height: 640 })
      const widthOf = () => evaluate(page, 'document.documentElement.scrollWidth')
      await expect.poll(widthOf, { message: `${name} is no wider`, timeout }).toBe(320)
      await screen.picture(`every-${name}-320`)
      await page.setViewportSize({ width: 390, height: 844 })
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
