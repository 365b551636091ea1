import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as api from '@carrel/api'
import { comic, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { claim, signIn, startCarrel, testPassword } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { openScreen } from './app.ts'

test('W7 LIB-1 a new server is set up: the account, with its token behind a proxy, and the first library, seen before it is made', async () => {
  await using home = await temporaryFolder()
  await using folder = await libraryFolder()
  for (const number of [1, 2, 3]) await folder.write(`Saga/Saga ${number}.cbz`, comic({ seed: number }))
  await folder.write('<b>Bold/Bold 1.cbz', comic({ seed: 9 }))
  await folder.write('loose.txt', 'no book')
  await using carrel = await startCarrel({ cwd: home.path, env: { CARREL_TRUSTED_PROXIES: '10.0.0.1' } })
  await using screen = await openScreen({ carrel }, { size: 'phone', as: null })
  screen.forgive(/40[13]/)
  const { page } = screen

  await screen.open('/')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('setup-account')
  await page.getByLabel('User name').fill('ana')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText('At least 10 characters; these are 5.').waitFor()
  await screen.picture('setup-short')
  expect(await screen.axe()).toEqual([])
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByLabel('Setup token').fill('not the token')
  await screen.picture('setup-token')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText('That is not the setup token.').waitFor()
  await page.getByLabel('Setup token').fill((await readFile(join(carrel.dataDir, 'setup-token'), 'utf8')).trim())
  await page.getByRole('button', { name: 'Create the account' }).click()

  await page.getByRole('heading', { name: 'Add a library' }).waitFor()
  await page.getByText('Step 2 of 2').waitFor()
  await page.getByRole('button', { name: 'Add a folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a folder' })
  await dialog.getByRole('button', { name: '/', exact: true }).click()
  const names = folder.path.split('/').slice(1)
  for (const name of names) await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.getByRole('button', { name: 'Saga', exact: true }).waitFor()
  // Each step leaves the focus in the list, and not at the beginning of the page.
  await expect.poll(() => dialog.getByRole('list').evaluate((list) => list.matches(':focus'))).toBe(true)
  // Whoever knows the path types or pastes it, and finds a folder by a part of its name.
  const field = dialog.getByRole('textbox', { name: 'Part of a name, or a whole path' })
  await field.fill(`/${names.slice(0, -1).join('/')}/`)
  await field.press('Enter')
  await dialog.getByText(`/${names.slice(0, -1).join('/')}`, { exact: true }).waitFor()
  await field.fill(names.at(-1)?.toUpperCase() ?? '')
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1)
  await field.press('Enter')
  await dialog.getByRole('button', { name: 'Saga', exact: true }).waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('setup-folders')
  await dialog.getByRole('button', { name: 'Take this folder' }).click()

  await page.getByText('4 books → 2 series').waitFor()
  await page.getByText('<b>Bold', { exact: true }).waitFor()
  await page.getByText('Saga 1.cbz · Saga 2.cbz · Saga 3.cbz').waitFor()
  expect(await screen.axe()).toEqual([])
  await page.getByRole('heading', { name: 'Preview' }).scrollIntoViewIfNeeded()
  await screen.picture('setup-preview')
  await page.getByText('Everything in one folder').click()
  await page.getByText('4 books → 2 series').waitFor()
  await page.getByText('Each folder of books is a series').click()
  const ana = await signIn(carrel, 'ana')
  expect(bodyOf(await ana.call(api.listLibraries, {})).total).toBe(0)
  await page.getByRole('textbox', { name: 'Name' }).fill('Comics')
  await page.getByRole('button', { name: 'Add the library' }).click()

  await page.getByText('Comics is being looked through.').waitFor()
  const count = await waitUntil('the books to be found', async () => {
    const { total } = bodyOf(await ana.call(api.listBooks, {}))
    return total === 4 ? total : undefined
  })
  expect(count).toBe(4)
  // The event stream tells the page.
  const updated = page.getByRole('list', { name: 'Recently added' })
  await updated.getByText('<b>Bold', { exact: true }).waitFor()
  await updated.getByText('Saga', { exact: true }).waitFor()
  await screen.picture('setup-done')
  await page.goto(`${carrel.url}/setup`)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
})

test('F1 F2 from the account to the first page it takes six clicks, and the books are seen as they come', async () => {
  await using home = await temporaryFolder()
  await using folder = await libraryFolder()
  for (let number = 1; number <= 12; number += 1)
    await folder.write(`comics/Saga/Saga ${number}.cbz`, comic({ seed: number, pages: 3 }))
  await using carrel = await startCarrel({ cwd: home.path, env: { CARREL_LIBRARY_ROOTS: folder.path } })
  await using screen = await openScreen({ carrel }, { as: null })
  screen.forgive(/40[13]/)
  const { page } = screen
  let clicks = 0
  const click = async (role: 'button' | 'link', name: string): Promise<void> => {
    await page.getByRole(role, { name, exact: true }).click()
    clicks += 1
  }
  await screen.open('/')
  await page.getByLabel('User name').fill('ana')
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await click('button', 'Create the account')
  await click('button', 'Add a folder')
  await click('button', 'comics')
  await click('button', 'Take this folder')
  await page.getByText('12 books → 1 series').waitFor()
  await click('button', 'Add the library')
  await page.getByRole('region', { name: 'Saga' }).getByRole('img').or(page.locator('main img')).first().waitFor()
  await screen.picture('first-home')
  expect(await screen.axe()).toEqual([])
  await click('link', 'Start reading')
  await page.waitForURL(/\/read\//)
  await page.getByRole('main', { name: /^Page 1 of 3/ }).waitFor()
  expect(clicks).toBeLessThanOrEqual(6)
})

test('F1 whoever has no books at hand looks around with drawn ones, which go with one click', async () => {
  await using home = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: home.path })
  const admin = await claim(carrel)
  await using screen = await openScreen({ carrel, admin }, { size: 'phone' })
  const { page } = screen
  // Something runs all the time, so that the page asks how far the library is read in until there is none.
  const endless = { id: 'endless', taskType: 'cleanup_sessions', progress: null, libraryId: null }
  await page.route(/\/api\/v1\/tasks\?.*status=processing/, (route) =>
    route.fulfill({ json: { data: [endless], total: 1 } }),
  )
  const asksForScan = page.waitForRequest(/scan-status/)
  await screen.open('/')
  await page.getByRole('button', { name: 'Look around with example books' }).click()
  await page.getByRole('link', { name: 'Start reading' }).waitFor()
  const bar = page.getByRole('complementary', { name: 'Example library' })
  await bar.getByText('1 of 5.').waitFor()
  await bar.getByRole('button', { name: 'Next' }).click()
  await bar.getByText('2 of 5.').waitFor()
  await bar.getByRole('button', { name: 'End the tour' }).click()
  await bar.getByText(/drawn by the server/).waitFor()
  await page
    .getByRole('list', { name: 'Recently added' })
    .getByRole('link', { name: /The Late Ferry/ })
    .waitFor()
  await screen.picture('example-phone')
  await asksForScan
  // A cover that is asked for at the moment its book goes is not there.
  screen.forgive(/404.*\/(?:cover|thumbnail)/)
  // The end of the library is heard of before the list without it is there.
  const hearsOfTheEnd = page.waitForRequest(/at-a-glance/)
  await page.route(/\/api\/v1\/libraries(?:\?|$)/, async (route) => {
    await hearsOfTheEnd
    await route.continue()
  })
  // What is being removed may be in the midst of a scan, of which the page hears: it does not ask how far that one is.
  const removal = Promise.withResolvers<undefined>()
  await page.route(/\/api\/v1\/example-library/, async (route) => {
    await removal.promise
    await route.continue()
  })
  const asksToRemove = page.waitForRequest(/example-library/)
  await bar.getByRole('button', { name: 'Remove the example books' }).click()
  await asksToRemove
  const before = screen.requests.length
  const hearsOfTheScan = page.waitForRequest(/\/api\/v1\/tasks\?/)
  const [library] = bodyOf(await admin.call(api.listLibraries, {})).data
  bodyOf(await admin.call(api.scanLibrary, { params: { id: library?.id ?? '' }, body: {} }))
  await hearsOfTheScan
  expect(screen.requests.slice(before).filter((each) => each.includes('scan-status'))).toEqual([])
  removal.resolve(undefined)
  await page.getByRole('button', { name: 'Look around with example books' }).waitFor()
  expect(bodyOf(await admin.call(api.listLibraries, {})).total).toBe(0)
})
