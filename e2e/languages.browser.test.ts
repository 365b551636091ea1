import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comic } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { type App, settled, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const documentOf = (page: Page) =>
  page.evaluate<{ lang: string; dir: string }>(
    '({ lang: document.documentElement.lang, dir: document.documentElement.dir })',
  )

/** It says by how many pixels the page is wider than its window. */
const sideways = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

test('a browser is spoken to in its language, and whoever has not signed in can choose another', async () => {
  await using screen = await app.screen({ language: 'pt-PT', as: null })
  await screen.open('/sign-in')
  await screen.page.getByRole('button', { name: 'Entrar' }).waitFor()
  expect(await documentOf(screen.page)).toEqual({ lang: 'pt-BR', dir: 'ltr' })
  const list = screen.page.getByLabel('Idioma')
  expect(await list.locator('option').allInnerTexts()).toEqual([
    'English',
    'Deutsch',
    'Français',
    'Español',
    'Português (Brasil)',
    '日本語',
    '简体中文',
    '한국어',
    'العربية',
  ])
  await list.selectOption('ar')
  await screen.page.getByRole('button', { name: 'تسجيل الدخول' }).waitFor()
  expect(await documentOf(screen.page)).toEqual({ lang: 'ar', dir: 'rtl' })
  await screen.page.reload()
  await screen.page.getByRole('button', { name: 'تسجيل الدخول' }).waitFor()
  expect(await screen.axe()).toEqual([])
})

test('only the language that is spoken is fetched', async () => {
  await using screen = await app.screen({ language: 'ja' })
  await screen.open('/')
  const languages = screen.requests.filter((each) => /\/assets\/(en|de|fr|es|pt-BR|ja|zh-Hans|ko|ar)-/.test(each))
  expect(languages.length).toBeGreaterThan(0)
  expect(languages.filter((each) => !/\/assets\/ja-/.test(each))).toEqual([])
})

test('in Arabic everything is read from the right, and nothing is pushed sideways', async () => {
  const { data } = bodyOf(await app.admin.call(api.listSeries, {}))
  const series = data.find(({ title }) => title === 'Saga of the Stars')
  await app.admin.call(api.updateProfile, { body: { language: 'ar' } })
  try {
    for (const size of ['desktop', 'phone'] as const) {
      await using screen = await app.screen({ size })
      for (const path of ['/', `/series/${series?.id ?? ''}`, '/account']) {
        await screen.open(path)
        expect(await documentOf(screen.page)).toEqual({ lang: 'ar', dir: 'rtl' })
        expect(await sideways(screen.page)).toBeLessThanOrEqual(0)
        await screen.picture(`arabic-${size}-${path.split('/')[1] ?? ''}`)
      }
      await screen.page.setViewportSize({ width: 320, height: 640 })
      await settled(screen.page)
      expect(await sideways(screen.page)).toBeLessThanOrEqual(0)
    }
  } finally {
    await app.admin.call(api.updateProfile, { body: { language: null } })
  }
})

test('the bars of a reader are Arabic while its book is turned as it was drawn', async () => {
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 100 } }))
  const book = data.find(({ path }) => path?.endsWith('Saga of the Stars 1.cbz'))
  await app.admin.call(api.updateProfile, { body: { language: 'ar' } })
  try {
    await using screen = await app.screen({ size: 'phone' })
    await screen.open(`/read/${book?.id ?? ''}`)
    await screen.page.getByTestId('stage').waitFor()
    expect(await documentOf(screen.page)).toEqual({ lang: 'ar', dir: 'rtl' })
    expect(await sideways(screen.page)).toBeLessThanOrEqual(0)
    await screen.page.keyboard.press('ArrowRight')
    await screen.page.waitForURL(/page=2|p=2/)
    await screen.picture('arabic-phone-reader')
  } finally {
    await app.admin.call(api.updateProfile, { body: { language: null } })
  }
})

test('what is wrong with a book, and why a task has failed, is said in the language of the reader', async () => {
  const backups = join(app.carrel.dataDir, 'backups')
  await rm(backups, { recursive: true, force: true })
  await writeFile(backups, 'in the way')
  const wholeComic = comic({ seed: 90, pages: 3 })
  await app.folder.write(
    'Broken/Broken 1.cbz',
    Buffer.concat([wholeComic.subarray(0, 500), Buffer.alloc(wholeComic.length - 500)]),
  )
  await app.admin.call(api.updateProfile, { body: { language: 'de' } })
  try {
    bodyOf(await app.admin.call(api.scanLibrary, { params: { id: app.libraryId } }))
    const { taskId } = bodyOf(await app.admin.call(api.startBackup, {}))
    await waitUntil(
      'the backup to fail',
      async () => bodyOf(await app.admin.call(api.readTask, { params: { id: taskId } })).lastFailure ?? undefined,
    )
    await waitUntil('the book to be read', async () =>
      bodyOf(await app.admin.call(api.listBookErrors, {})).total > 0 ? true : undefined,
    )
    await using screen = await app.screen({ language: 'en' })
    const { page } = screen
    await screen.open('/admin/tasks')
    const task = page.getByRole('listitem').filter({ hasText: backups })
    await task.getByText('lässt sich nichts schreiben').waitFor()
    const words = task.getByLabel('Einzelheiten für eine Meldung')
    expect(await words.isVisible()).toBe(false)
    await task.getByText('Einzelheiten für eine Meldung').first().click()
    expect(await words.inputValue()).toContain('Nothing can be written to')
    expect(await screen.axe()).toEqual([])

    await screen.open('/admin/book-errors?code=damaged')
    const row = page.getByRole('list', { name: 'Beschädigt' }).getByRole('listitem')
    await row.getByText('Broken 1.cbz').waitFor()
    await row.getByText('Beschädigt').waitFor()
    expect(await row.locator('details').getAttribute('open')).toBeNull()
    expect(await screen.axe()).toEqual([])
    await screen.picture('book-error-in-german')
  } finally {
    await app.admin.call(api.updateProfile, { body: { language: null } })
    await rm(backups, { force: true })
  }
})
