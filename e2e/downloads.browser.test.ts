import { readFile } from 'node:fs/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp({ books: [{ path: 'Saga/Saga 01.cbz' }, { path: 'Saga/Saga 02.cbz' }] })
})
afterAll(() => app[Symbol.asyncDispose]())

test('C26 a book and a series are downloaded with what is shown of them, or as they are, as somebody has chosen', async () => {
  await using screen = await app.screen()
  const { page } = screen
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { sort: 'number,asc' } }))
  const [book] = data
  await app.admin.call(api.editBookMetadata, { params: { id: book?.id ?? '' }, body: { title: 'Shown here' } })
  const downloaded = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
    return readFile(await file.path(), 'latin1')
  }

  await screen.open(`/books/${book?.id}`)
  expect(await downloaded('Download with metadata')).toContain('<Title>Shown here</Title>')

  await screen.open('/account')
  await page.getByRole('combobox', { name: 'Files you download' }).click()
  await page.getByRole('option', { name: 'With the metadata shown here' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.open(`/books/${book?.id}`)
  expect(await downloaded('Download the original file')).not.toContain('<Title>Shown here')
  await screen.open(`/series/${book?.seriesId}`)
  expect(await downloaded('Download the original files')).not.toContain('<Title>Shown here')

  await screen.open('/account/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await dialog.getByLabel('Name').fill('Tablet')
  await dialog.getByLabel('Files downloaded with it').selectOption({ label: 'As they lie on the server' })
  await dialog.getByRole('button', { name: 'New key' }).click()
  await dialog.getByText('Copy the key now').waitFor()
  const { data: keys } = bodyOf(await app.admin.call(api.listApiKeys, {}))
  expect(keys.map(({ downloadMetadata }) => downloadMetadata)).toContain('original')

  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByLabel('Files downloaded with it: Tablet').selectOption({ label: 'With the metadata shown here' })
  await expect
    .poll(async () => bodyOf(await app.admin.call(api.listApiKeys, {})).data.map((key) => key.downloadMetadata))
    .toContain('embedded')
  expect(await screen.axe()).toEqual([])
})
