import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, hostileTitle, settled, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const everywhere = (['desktop', 'phone'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((look) => ({ size, look })),
)

test.each(everywhere)('series, one series and a book at $size size in $look', async ({ size, look }) => {
  await using screen = await app.screen({ size, look })
  const { page } = screen
  page.setDefaultTimeout(8000)

  await screen.open('/series')
  await page.getByText('5 series').waitFor()
  expect(await page.getByRole('gridcell').count()).toBe(5)
  await screen.picture(`series-list-${size}-${look}`)
  expect(await screen.axe()).toEqual([])
  expect(await screen.layoutShift()).toBe(0)
  await page.getByRole('link', { name: /Saga of the Stars/ }).click()

  await page.getByRole('heading', { name: 'Saga of the Stars', level: 1 }).waitFor()
  await page.getByText('4 books').first().waitFor()
  await settled(page)
  await screen.picture(`series-${size}-${look}`)
  expect(await screen.axe()).toEqual([])
  await page.getByRole('link', { name: /Saga of the Stars 2/ }).click()

  await page.getByRole('heading', { name: 'Saga of the Stars 2' }).waitFor()
  await page.getByRole('link', { name: /Next in the series/ }).waitFor()
  await settled(page)
  await screen.picture(`book-${size}-${look}`)
  expect(await screen.axe()).toEqual([])
  expect(await page.getByText(hostileTitle).count()).toBe(0)
})
