import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, hostileTitle, settled, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('the search leads to results of every kind, and back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  await page.keyboard.press('/')
  await page.keyboard.type('saga')
  await page.getByRole('button', { name: 'All hits for “saga”' }).click()

  await page.getByRole('heading', { name: '“saga”' }).waitFor()
  expect(new URL(page.url()).search).toBe('?q=saga')
  await settled(page)
  await page.getByRole('heading', { name: 'Series', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Books', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(4)
  expect(await screen.jumps()).toEqual([])

  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('vaughan')
  await page.getByRole('button', { name: 'All hits for “vaughan”' }).click()
  await page.getByRole('heading', { name: 'People' }).waitFor()
  expect(await page.getByRole('link', { name: 'Ada Vaughan 1 series' }).getAttribute('href')).toBe(
    '/people/Ada%20Vaughan',
  )
  await page.goBack()
  await page.getByRole('heading', { name: '“saga”' }).waitFor()
})

test.each(['light', 'dark'] as const)(
  'results on a phone in %s: foreign and hostile titles, and nothing found',
  async (scheme) => {
    await using screen = await app.screen({ size: 'phone', scheme })
    const { page } = screen
    await screen.open('/search?q=friends')
    await page.getByRole('article').filter({ hasText: hostileTitle }).first().waitFor()
    await screen.picture(`search-phone-${scheme}`)
    expect(await screen.axe()).toEqual([])
    await screen.open(`/search?q=${encodeURIComponent('進撃')}`)
    await page.getByRole('article').filter({ hasText: '進撃の巨人' }).first().waitFor()
    await screen.open('/search?q=zyxwvut')
    await page.getByText('Nothing is called “zyxwvut”').waitFor()
    expect(await screen.axe()).toEqual([])
    await screen.open('/search')
    await page.getByText('What are you looking for?').waitFor()
    expect(await screen.jumps()).toEqual([])
  },
)
