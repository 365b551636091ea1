import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPassword } from '../packages/server/test/smoke/carrel.ts'
import { type App, everywhere, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test.each(everywhere)(
  'the first page at $size size in $look: axe is content, nothing jumps',
  async ({ size, look }) => {
    await using screen = await app.screen({ size, look })

    await screen.open('/')
    await screen.page.getByRole('heading', { name: 'Home' }).waitFor()
    await screen.picture(`home-${size}-${look}`)

    expect(await screen.axe()).toEqual([])
    expect(await screen.jumps()).toEqual([])
  },
)

test('who is not signed in signs in, and comes to where they wanted to go', async () => {
  await using screen = await app.screen({ as: null })
  screen.forgive(/401/)
  const { page } = screen

  await screen.open('/?from=here')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await screen.picture('sign-in')
  expect(await screen.axe()).toEqual([])
  await page.getByLabel('User name').fill('ana')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('User name or password is wrong.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Home' }).waitFor()
  expect(page.url()).toBe(`${app.carrel.url}/?from=here`)
})
