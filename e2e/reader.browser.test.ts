import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReaderApp, startReaderApp } from './reader-books.ts'

let app: ReaderApp
beforeAll(async () => {
  app = await startReaderApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const everywhere = (['desktop', 'phone'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((look) => ({ size, look })),
)

test.each(everywhere)('the reader at $size size in $look: axe is content, nothing jumps', async ({ size, look }) => {
  await using screen = await app.screen({ size, look })
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}`)
  await screen.page.getByRole('img', { name: 'Page 1' }).waitFor()
  await screen.picture(`reader-${size}-${look}`)
  expect(await screen.axe()).toEqual([])
  expect(await screen.layoutShift()).toBe(0)
})
