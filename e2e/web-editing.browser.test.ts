import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, settled, startApp } from './app.ts'

let app: App
let sagaId = ''
beforeAll(async () => {
  app = await startApp()
  const { data } = bodyOf(await app.admin.call(api.listSeries, {}))
  sagaId = data.find(({ title }) => title === 'Saga of the Stars')?.id ?? ''
})
afterAll(() => app[Symbol.asyncDispose]())

const metadataNow = async (): Promise<api.EditableSeriesMetadata> =>
  bodyOf(await app.admin.call(api.readSeriesMetadata, { params: { id: sagaId } }))
const isGone = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })

test('fields of every kind are edited, locked and saved; each says whose word it is; all of it is undone', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/series/${sagaId}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit metadata' }).click()
  await page.getByRole('button', { name: 'Publisher: File: ComicInfo.xml. All sources' }).click()
  expect(await screen.axe()).toEqual([])
  expect(await screen.jumps()).toEqual([])
  await screen.picture('edit-desktop-light')

  await page.getByLabel('Publisher', { exact: true }).fill('Quiet Press')
  await page.getByRole('button', { name: 'Lock: Publisher' }).click()
  await page.getByLabel('Year', { exact: true }).fill('1999')
  await page.getByLabel('Status', { exact: true }).selectOption('ended')
  await page.getByLabel('Tags', { exact: true }).fill('space')
  await page.keyboard.press('Enter')
  const people = page.getByRole('group', { name: 'People' })
  await people.getByRole('button', { name: 'Add' }).click()
  await page.keyboard.type('Bela Kis')
  await people.getByLabel('Role', { exact: true }).last().fill('inker')
  await page.getByLabel('Custom fields (JSON)', { exact: true }).fill('{ "shelf": ')
  await page.getByText('One field cannot be saved as it is.').waitFor()
  await page.getByLabel('Custom fields (JSON)', { exact: true }).fill('{ "shelf": "B4" }')
  await page.keyboard.press('Control+s')
  await isGone(page)

  const saved = await metadataNow()
  expect(saved).toMatchObject({
    publisher: 'Quiet Press',
    publisherLock: true,
    year: 1999,
    status: 'ended',
    tags: ['space'],
    customMetadata: { shelf: 'B4' },
  })
  expect(saved.authors.map(({ name }) => name)).toEqual(['Ada Vaughan', 'Bela Kis'])
  await page.getByRole('button', { name: 'Publisher: Edited by hand. All sources' }).waitFor()
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back', { exact: true }).first().waitFor()
  expect(await metadataNow()).toMatchObject({ publisher: 'Picture House', year: 2013, tags: [], customMetadata: null })
  expect(await page.getByLabel('Publisher', { exact: true }).inputValue()).toBe('Picture House')
})

test('a number is typed with its decimals; undoing takes back what one saved, whoever has changed something since', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/series/${sagaId}/edit`)
  const ratings = page.getByRole('group', { name: 'Ratings elsewhere' })
  await ratings.getByRole('button', { name: 'Add' }).click()
  await page.keyboard.type('Somewhere')
  await ratings.getByLabel('Rating (0–100)', { exact: true }).pressSequentially('10.5')
  await page.keyboard.press('Control+s')
  await isGone(page)
  expect(await metadataNow()).toMatchObject({ externalRatings: [{ rating: 10.5 }] })
  const undo = page.getByLabel('Notifications').getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await app.admin.call(api.editSeriesMetadata, { params: { id: sagaId }, body: { imprint: 'Meanwhile' } })
  await expect.poll(() => page.getByLabel('Imprint', { exact: true }).inputValue()).toBe('Meanwhile')
  await undo.click()
  await page.getByText('Taken back', { exact: true }).first().waitFor()
  expect(await metadataNow()).toMatchObject({ externalRatings: [], imprint: 'Meanwhile' })
})

test("one's own word is taken back, and the file is heard again", async () => {
  await app.admin.call(api.editSeriesMetadata, { params: { id: sagaId }, body: { publisher: 'Wrong' } })
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/series/${sagaId}/edit`)
  await page.getByRole('button', { name: 'Publisher: Edited by hand. All sources' }).click()
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('button', { name: 'Publisher: File: ComicInfo.xml. All sources' }).waitFor()
  expect(await page.getByLabel('Publisher', { exact: true }).inputValue()).toBe('Picture House')
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Publisher: Edited by hand. All sources' }).waitFor()
  expect((await metadataNow()).publisher).toBe('Wrong')
})

test('who leaves finds what they had typed; what others change meanwhile stands beside it', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open(`/series/${sagaId}/edit`)
  await page.getByLabel('Imprint', { exact: true }).fill('Mine')
  await page.getByLabel('Summary', { exact: true }).fill('Two families.')
  await screen.open('/')
  await screen.open(`/series/${sagaId}/edit`)
  await page.getByText('2 changes from before are still here, and not saved.').waitFor()
  expect(await page.getByLabel('Imprint', { exact: true }).inputValue()).toBe('Mine')

  await app.admin.call(api.editSeriesMetadata, {
    params: { id: sagaId },
    body: { imprint: 'Theirs', language: 'fr' },
  })
  const conflict = page.getByRole('alert').filter({ hasText: 'Theirs' })
  await conflict.waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await screen.picture('edit-conflict-phone-dark')
  expect(await screen.axe()).toEqual([])
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  expect(await page.getByLabel('Imprint', { exact: true }).inputValue()).toBe('Mine')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await isGone(page)
  expect(await metadataNow()).toMatchObject({ imprint: 'Mine', summary: 'Two families.', language: 'fr' })
  await settled(page)
  await page.getByRole('heading', { name: 'History' }).scrollIntoViewIfNeeded()
  await screen.picture('edit-history-phone-dark')
})

test('a book has fields of its own', async () => {
  const { data } = bodyOf(await app.admin.call(api.listBooks, {}))
  const id = data[0]?.id ?? ''
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/books/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit metadata' }).click()
  await page.getByLabel('Kind of book', { exact: true }).selectOption('Omnibus')
  await page.getByLabel('Characters', { exact: true }).fill('Alana')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await isGone(page)
  expect(bodyOf(await app.admin.call(api.readBookMetadata, { params: { id } }))).toMatchObject({
    bookType: 'omnibus',
    characters: ['Alana'],
  })
  expect(await screen.axe()).toEqual([])
})
