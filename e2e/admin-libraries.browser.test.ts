import { existsSync } from 'node:fs'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { comic } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { type App, hostileTitle, scannedLibrary, settled, startApp } from './app.ts'

let app: App
let id: string

const info = (Series: string, Number: number) => ({ comicInfo: comicInfoXml({ Series, Number }) })
const brokenFile = 'Broken/Broken 1.cbz'
const wholeComic = comic({ seed: 90, pages: 3 })
const half = Buffer.concat([wholeComic.subarray(0, 500), Buffer.alloc(wholeComic.length - 500)])
const files = {
  'Saga/Volume 1/Saga 1.cbz': comic({ seed: 1, ...info('Saga', 1) }),
  'Saga/Volume 2/Saga 2.cbz': comic({ seed: 2, ...info('Saga', 2) }),
  'Alone/Alone.cbz': comic({ seed: 3 }),
  [brokenFile]: half,
}

beforeAll(async () => {
  app = await startApp({ books: [] })
  for (const [path, bytes] of Object.entries(files)) await app.folder.write(path, bytes)
  id = await scannedLibrary(app.admin, app.folder.path)
  // No scans but those that are meant.
  bodyOf(await app.admin.call(api.updateLibrary, { params: { id }, body: { watch: false } }))
})
afterAll(() => app[Symbol.asyncDispose]())

const person = async (username: string, role: 'reader' | 'editor'): Promise<Visitor> => {
  bodyOf(await app.admin.call(api.createUser, { body: { username, password: testPassword, role } }))
  return signIn(app.carrel, username)
}
const library = async () => bodyOf(await app.admin.call(api.readLibrary, { params: { id } }))
const scanned = () =>
  waitUntil('the scan', async () => {
    const scan = bodyOf(await app.admin.call(api.readScanStatus, { params: { id } }))
    return scan !== undefined && scan.completedAt !== null && scan.analysisPending === 0 ? scan : undefined
  })

/** What tells of a book that cannot be read. `every-page` has none, and looks at all other pages. */
const pages = (): readonly (readonly [string, string])[] => [
  ['admin', '/admin'],
  ['admin-libraries', '/admin/libraries'],
  ['admin-library', `/admin/libraries/${id}`],
  ['admin-errors', '/admin/book-errors'],
  ['admin-errors-damaged', '/admin/book-errors?code=damaged'],
]

const screens = [
  { size: 'desktop', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
] as const

test.each(screens)(
  'a broken book at $size in $scheme: axe finds nothing, and nothing jumps',
  async ({ size, scheme }) => {
    await using screen = await app.screen({ size, scheme })
    for (const [name, path] of pages()) {
      await screen.open(path)
      await screen.picture(`${name}-${size}-${scheme}`)
      expect([path, await screen.axe()]).toEqual([path, []])
      expect([path, await screen.jumps()]).toEqual([path, []])
      expect(await screen.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  },
)

test('a scan that somebody else starts is seen to come and go, and its history says what it found', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/admin/libraries/${id}`)
  const history = page.getByRole('list', { name: 'Scans so far' })
  await expect.poll(() => history.getByRole('listitem').count()).toBe(1)
  await app.folder.write('New/New 1.cbz', comic({ seed: 20 }))
  bodyOf(await app.admin.call(api.scanLibrary, { params: { id } }))
  // Nothing was clicked: the event stream reports it.
  await history.getByRole('listitem').filter({ hasText: '1 added' }).filter({ hasText: 'done' }).waitFor()
  await page.getByText(/All went well\. 5 files · 1 added/).waitFor()

  await page.getByRole('button', { name: 'Read everything again' }).click()
  await page.getByText('Comics is being looked through').waitFor()
  await history.getByRole('listitem').filter({ hasText: 'Everything anew' }).filter({ hasText: 'done' }).waitFor()

  await page.getByRole('button', { name: 'Only a folder…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Look through a folder' })
  await dialog.getByRole('button', { name: 'New' }).click()
  await dialog.getByRole('button', { name: 'Look through this folder' }).click()
  await history.getByRole('listitem').filter({ hasText: '1 file · nothing new' }).waitFor()
  await scanned()
})

test('settings are saved, shown as they are, and put back; a hostile name is a name', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/libraries/${id}`)
  await page.getByRole('button', { name: 'Administer' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Series and books' }).waitFor()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  expect(await save.isDisabled()).toBe(true)
  await page.getByLabel('Name', { exact: true }).fill(hostileTitle)
  await page.getByLabel('Reading direction').selectOption('Right to left (manga)')
  await page.getByLabel('What a scan passes over').fill('*.txt\n\n  Extras/ ')
  await page.getByLabel('Everything Carrel can read').uncheck()
  await page.getByLabel('PDF').uncheck()
  await page.getByLabel('How often').selectOption('Every week')
  await page.getByLabel('Day', { exact: true }).selectOption('Sunday')
  await page.getByLabel('Time', { exact: true }).fill('03:30')
  await page.getByText(/^Every Sunday at 03:30/).waitFor()
  await save.click()
  await page.getByRole('heading', { level: 1, name: hostileTitle }).waitFor()
  expect(await library()).toMatchObject({
    name: hostileTitle,
    readingDirection: 'rtl',
    exclude: ['*.txt', 'Extras/'],
    formats: ['cbz', 'cbr', 'cb7', 'cbt', 'folder', 'epub', 'mobi', 'azw3', 'fb2'],
    schedule: { cron: '30 3 * * 0' },
  })
  await screen.picture('admin-settings-saved')
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { level: 1, name: 'Comics' }).waitFor()
  expect(await library()).toMatchObject({ readingDirection: 'ltr', formats: null, schedule: null })
})

test('another way to make series is shown before it is taken, and taken back', async () => {
  const titles = async (): Promise<readonly string[]> =>
    bodyOf(await app.admin.call(api.listSeries, { query: { libraryId: id } })).data.map(({ title }) => title)
  const grouped = (policy: string) =>
    waitUntil('the books to be grouped anew', async () => {
      const { data } = bodyOf(await app.admin.call(api.listTasks, { query: { taskType: 'regroup_library' } }))
      return (await library()).grouping.policy === policy && data.every(({ status }) => status === 'completed')
    })
  const before = await titles()
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open(`/admin/libraries/${id}/settings`)
  await page.getByRole('radio', { name: 'The file name says the series' }).check()
  await page.getByRole('list', { name: 'The series it would have' }).getByText('Alone').waitFor()
  await screen.picture('admin-regroup-phone')
  expect((await library()).grouping.policy).toBe('folder')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // It stays as long as somebody points at it.
  await page.getByText('Comics is saved').hover()
  await grouped('flat')
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('It is as it was').waitFor()
  await grouped('folder')
  expect(await titles()).toEqual(before)
})

test('a book that cannot be read is there with what to do, and is well when it has been mended', async () => {
  await using screen = await app.screen()
  const { page } = screen
  // Each entry counts what waits there, and no other's.
  await screen.open('/admin')
  await expect
    .poll(() =>
      page
        .getByRole('main')
        .getByText(/^\d+ \w+$/)
        .allInnerTexts(),
    )
    .toEqual(['1 book'])
  await screen.open('/admin/book-errors')
  await page.getByRole('link', { name: 'Damaged · 1 book' }).click()
  const row = page.getByRole('list', { name: 'Damaged' }).getByRole('listitem')
  await row.getByText(brokenFile).waitFor()
  await row.getByRole('button', { name: 'Read again' }).click()
  await page.getByText('The book is being read again').waitFor()
  await scanned()
  await page.goBack()
  await page.getByRole('link', { name: 'Damaged · 1 book' }).waitFor()
  // Mended so that no scan could see it.
  const { atime, mtime } = await stat(app.folder.in(brokenFile))
  await writeFile(app.folder.in(brokenFile), wholeComic)
  await utimes(app.folder.in(brokenFile), atime, mtime)
  await page.getByRole('button', { name: 'Read all again' }).click()
  await page.getByText('1 book is being read again').waitFor()
  await page.getByText('Every book can be read').waitFor()
  await scanned()
  expect(bodyOf(await app.admin.call(api.listBookErrors, {})).total).toBe(0)
})

test('books that vanish all at once are held until somebody says that they are gone', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark' })
  const { page } = screen
  const { bookCount: all } = await library()
  for (const path of await readdir(app.folder.path)) await rm(app.folder.in(path), { recursive: true })
  await screen.open(`/admin/libraries/${id}`)
  await page.getByRole('button', { name: 'Look for changes' }).click()
  await page.getByRole('heading', { name: `${all} books seem to be gone` }).waitFor()
  await settled(page)
  await screen.picture('admin-held-card-phone-dark')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('link', { name: 'Show the books' }).click()
  await page.getByRole('link', { name: 'Alone' }).waitFor()
  await screen.picture('admin-held-page-phone-dark')
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Keep them' }).click()
  await page.getByText('Nothing waits').waitFor()
  expect((await library()).bookCount).toBe(all)

  await page.getByRole('link', { name: 'Back to the library' }).click()
  await page.getByRole('button', { name: 'Look for changes' }).click()
  await page.getByRole('button', { name: 'They are gone' }).click()
  await page.getByText(`${all} books are missing now; they come back with their files`).waitFor()
  expect((await library()).bookCount).toBe(0)
  // They are named before anybody has them forgotten.
  await page.getByRole('button', { name: `Show ${all} missing books` }).click()
  const missing = page.getByRole('dialog', { name: 'Missing books' })
  await missing.getByText(app.folder.in('Alone/Alone.cbz'), { exact: true }).waitFor()
  expect(await missing.getByRole('listitem').count()).toBe(all)
  await screen.picture('admin-missing-phone-dark')
  expect(await screen.axe()).toEqual([])
  await page.keyboard.press('Escape')
  await missing.waitFor({ state: 'detached' })

  // One comes back; the data of the others is deleted.
  await app.folder.write('Alone/Alone.cbz', files['Alone/Alone.cbz'])
  await page.getByRole('button', { name: 'Look for changes' }).click()
  await page
    .getByText(/1 came back/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Forget missing books…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Missing books' })
  await dialog.getByLabel('Missing for more than … days').fill('0')
  await dialog.getByRole('button', { name: 'Forget them for ever' }).click()
  await waitUntil('the missing books to be forgotten', async () => {
    const { data } = bodyOf(await app.admin.call(api.listTasks, { query: { taskType: 'purge_missing' } }))
    return data[0]?.status === 'completed' && JSON.stringify(data[0].result) === JSON.stringify({ books: all - 1 })
  })
})

test('the background work is at hand from everywhere, by the keyboard too, and a task is run at once', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/admin/tasks')
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('menuitem', { name: 'Clear away old sign-ins' }).click()
  await page
    .getByRole('list', { name: 'Tasks' })
    .getByRole('listitem')
    .filter({ hasText: 'Clear away old sign-ins' })
    .filter({ hasText: 'done' })
    .waitFor()
  // Whoever looks for one among many sees many: a line each.
  const lines = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem').filter({ hasText: 'done' })
  expect((await lines.last().boundingBox())?.height).toBeLessThanOrEqual(40)
  await page.getByLabel('Kind').selectOption('Look through a library')
  await page.getByLabel('State').selectOption('done')
  await page.waitForURL(/status=completed/)
  await page.reload()
  await settled(page)
  const rows = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem')
  expect(await rows.filter({ hasText: 'Look through a library' }).count()).toBe(await rows.count())
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('status'))

  await screen.open('/')
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  const drawer = page.getByRole('dialog', { name: 'Background work' })
  await drawer.getByText('Clear away old sign-ins').first().waitFor()
  // It takes the place that the page keeps for its scrollbar, and the page stays where it is.
  expect(await page.evaluate('getComputedStyle(document.body).paddingInlineEnd')).toBe('15px')
  const place = await drawer.boundingBox()
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBe(page.viewportSize()?.width)
  await screen.picture('activity-desktop')
  expect(await screen.axe()).toEqual([])
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  const button = page.getByRole('button', { name: 'Background work' })
  await button.click()
  await drawer.getByRole('link', { name: 'Comics' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Comics' }).waitFor()
  await drawer.waitFor({ state: 'detached' })
})

test('who may not administer is told so kindly, and is not offered what is refused', async () => {
  const reader = await person('role-reader', 'reader')
  {
    await using screen = await app.screen({ as: reader })
    const { page } = screen
    await screen.open('/')
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Background work' }).count()).toBe(0)
    for (const path of ['/admin', '/admin/libraries', '/admin/tasks']) {
      await screen.open(path)
      await page.getByText('This page is for others').waitFor()
    }
    expect(await screen.axe()).toEqual([])
    await screen.picture('admin-refused')
  }
  await using screen = await app.screen({ as: await person('role-editor', 'editor'), size: 'phone', language: 'de' })
  const { page } = screen
  await screen.open('/')
  await page.getByRole('button', { name: 'Du', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Verwaltung' }).click()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Bibliotheken/ })
    .click()
  await page.getByRole('main').getByRole('link', { name: 'Comics' }).click()
  await page.getByRole('heading', { name: 'Bisherige Scans' }).waitFor()
  await settled(page)
  await screen.picture('admin-library-editor-de')
  expect(await page.getByRole('button', { name: /vergessen/ }).count()).toBe(0)
})

test('a library is deleted with what that means said before; its files stay', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open(`/admin/libraries/${id}/settings`)
  const dialog = page.getByRole('dialog', { name: 'Delete Comics?' })
  await page.getByRole('button', { name: 'Delete the library…' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete the library…' }).click()
  await dialog.getByText('No file on the disk is touched.').waitFor()
  await dialog.getByLabel('Also forget for ever').check()
  expect(await dialog.getByRole('button', { name: 'Delete and forget for ever' }).isDisabled()).toBe(true)
  await screen.picture('admin-delete-phone')
  expect(await screen.axe()).toEqual([])
  await dialog.getByLabel('Type Comics to confirm').fill('Comics')
  await dialog.getByRole('button', { name: 'Delete and forget for ever' }).click()
  await page.getByText('No libraries yet').waitFor()
  expect(existsSync(app.folder.in('Alone/Alone.cbz'))).toBe(true)
})

test('what waits can be cancelled and run again, where no worker takes it', async () => {
  await using idle = await startApp({ books: [], env: { CARREL_ROLES: 'api' } })
  await idle.folder.write('Alone/Alone.cbz', files['Alone/Alone.cbz'])
  const made = await idle.admin.call(api.createLibrary, { body: { name: 'Comics', roots: [idle.folder.path] } })
  const params = { id: bodyOf(made).id }
  const status = async () => bodyOf(await idle.admin.call(api.readScanStatus, { params }))?.status
  await using screen = await idle.screen()
  const { page } = screen
  await screen.open('/libraries')
  await page.getByText('Waits for its turn').waitFor()
  await page.getByRole('button', { name: 'Background work' }).click()
  const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Look through a library' })
  await row.getByText(/Waits since/).waitFor()
  await row.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Look through a library: cancelled').waitFor()
  expect(await status()).toBe('cancelled')
  await page.getByText('Nothing runs and nothing waits.').waitFor()
  await page.getByLabel('Notifications').getByRole('button', { name: 'Undo' }).click()
  await row.getByText(/Waits since/).waitFor()
})
