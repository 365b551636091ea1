import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, settled, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const whereOf = (page: Page) => new URL(page.url()).searchParams.get('where')

test('a search is put together by hand: fields, groups, live counts; the address says it, and Back goes back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/search/advanced')
  await page.getByText('5 series').first().waitFor()
  await page.getByRole('button', { name: 'Condition', exact: true }).click()
  const genre = page.getByRole('group', { name: 'Genre' })
  await genre.getByLabel('Value').fill('fanta')
  await page.getByRole('option', { name: 'Fantasy' }).click()
  await page.waitForURL(/where=genre=Fantasy$/)
  await page.getByText('1 series').first().waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(1)

  await page.getByRole('button', { name: 'Group', exact: true }).click()
  const tag = page.getByRole('group', { name: 'Tag' })
  await tag.getByLabel('Field').selectOption('Year')
  const year = page.getByRole('group', { name: 'Year' })
  await year.getByLabel('Comparison').selectOption('between')
  await year.getByLabel('From').fill('2000')
  await page.waitForURL(/year=2000/)
  expect(whereOf(page)).toBe('genre=Fantasy (or year=2000..)')
  await settled(page)
  expect(await screen.axe()).toEqual([])
  await screen.picture('advanced-desktop-light')

  await year.getByRole('button', { name: 'Move', exact: true }).focus()
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL(/\(or\)/)
  expect(whereOf(page)).toBe('genre=Fantasy (or) year=2000..')
  await page.getByRole('group', { name: 'Genre' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Negate' }).click()
  await page.waitForURL(/-genre/)
  await page.reload()
  await page.getByRole('group', { name: 'Genre' }).getByText('not', { exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('group', { name: 'Genre' }).getByText('not', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('group', { name: 'Year' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('group', { name: 'Year' }).waitFor({ state: 'detached' })
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('group', { name: 'Year' }).waitFor()
})

test('books too, on a phone in the dark; as JSON, with what is wrong where it is', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  await screen.open('/search/advanced?of=books&where=pageCount>=6&sort=number,desc')
  await page.getByText('4 books').first().waitFor()
  await screen.picture('advanced-phone-dark')
  expect(await page.getByRole('article').first().textContent()).toContain('10')
  expect(await screen.axe()).toEqual([])
  expect(await screen.jumps()).toEqual([])

  await page.getByText('As JSON').click()
  const json = page.getByRole('textbox', { name: 'As JSON' })
  expect(JSON.parse(await json.inputValue())).toEqual({ allOf: [{ pageCount: { operator: 'gte', value: 6 } }] })
  await json.fill('{"anyOf": [{"pageCounts": {"operator": "gte", "value": 6}}]}')
  await page.getByText('/anyOf/0/pageCounts: there is no such field').waitFor()
  await json.fill(
    '{"anyOf": [{"pageCount": {"operator": "lt", "value": 4}}, {"format": {"operator": "is", "value": "pdf"}}]}',
  )
  await page.getByText('3 books').first().waitFor()
  expect(whereOf(page)).toBe('(pageCount<4 or format=pdf)')
  await screen.open('/search/advanced?where=genre=a+nonsense=1')
  await page.getByText('The address could not be read from here on: nonsense=1').waitFor()
})

test('presets are kept, used, renamed, and come back when deleting them is undone; what is too long for an address is one', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/search/advanced?where=genre=Fantasy')
  await page.getByText('As JSON').click()
  const anyOf = Array.from({ length: 30 }, (_, index) => ({
    title: { operator: 'contains', value: `${'some rather long words '.repeat(3)} ${index}` },
  }))
  await page
    .getByRole('textbox', { name: 'As JSON' })
    .fill(JSON.stringify({ anyOf: [...anyOf, { genre: { operator: 'is', value: 'Fantasy' } }] }))
  await page.getByText('This search is too long for an address.').waitFor()
  expect(whereOf(page)).toBeNull()
  await page.getByText('1 series').first().waitFor()

  await page.getByRole('button', { name: 'Save as preset' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Long one')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/preset=/)
  await page.reload()
  await page.getByText('1 series').first().waitFor()
  const [preset] = bodyOf(await app.admin.call(api.listFilterPresets, {})).presets
  expect(preset).toMatchObject({ name: 'Long one', scope: 'search', target: 'series' })
  expect(JSON.stringify(preset?.condition).length).toBeGreaterThan(1800)

  await page.getByRole('button', { name: 'More about Long one' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Longer')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'More about Longer' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const saved = page.getByRole('main').getByRole('link', { name: 'Longer' })
  await saved.waitFor({ state: 'detached' })
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await saved.waitFor()
})
