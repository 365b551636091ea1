import { gzipSync } from 'node:zlib'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAmiss } from './axe.ts'
import { type App, startApp } from './app.ts'

const built = fileURLToPath(new URL('../packages/server/dist/web', import.meta.url))
const packedSize = (name: string): number => gzipSync(readFileSync(join(built, 'assets', name)), { level: 9 }).length

/** A page itself asks for these, before any code of ours has run. */
const inPage = (ending: string, page = 'index'): string[] =>
  [...readFileSync(join(built, `${page}.html`), 'utf8').matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)]
    .map(([, name = '']) => name)
    .filter((name) => name.endsWith(ending))

let app: App
beforeAll(async () => {
  app = await startApp({ books: [{ path: 'Alone/Alone.cbz' }] })
})
afterAll(() => app[Symbol.asyncDispose]())

test('A5 what every page needs takes at most 170 kB of scripts and 30 kB of style sheets, packed', () => {
  const scripts = inPage('.js').reduce((sum, name) => sum + packedSize(name), 0)
  const sheets = inPage('.css').reduce((sum, name) => sum + packedSize(name), 0)
  console.log(`  figure: ${scripts} bytes of scripts, ${sheets} of style sheets, gzip`)

  expect(inPage('.js').length).toBeGreaterThan(1)
  expect(scripts).toBeLessThanOrEqual(170_000)
  expect(sheets).toBeLessThanOrEqual(30_000)
})

test('what home begins with is compiled while it comes', () => {
  const all = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js'))
  const compiledAhead = all.filter((name) =>
    readFileSync(join(built, 'assets', name), 'utf8').startsWith('//# allFunctionsCalledOnLoad\n'),
  )
  const chunks = new Set(compiledAhead.map((name) => name.replace(/-[\w-]{7,8}\.js$/, '')))
  // The page of home only calls what is in `home`.
  expect([...chunks].toSorted()).toEqual(['app', 'home', 'start'])
})

/** Every script that the app may come to ask for: those in its page, and all that they name. */
const everAskedFor = (): ReadonlySet<string> => {
  const all = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js'))
  const seen = new Set<string>()
  const waiting = inPage('.js')
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const text = readFileSync(join(built, 'assets', name), 'utf8')
    waiting.push(...all.filter((other) => text.includes(other)))
  }
  return seen
}

test('the reader is a document of its own, of which the app has nothing', () => {
  const scripts = inPage('.js', 'read').reduce((sum, name) => sum + packedSize(name), 0)
  console.log(`  figure: ${scripts} bytes of scripts before the page of the reader, gzip`)
  const named = (name: string) => [...everAskedFor()].filter((each) => each.startsWith(`${name}-`)).length

  expect(scripts).toBeLessThanOrEqual(160_000)
  expect([named('home-page'), named('reader-page'), named('reader')]).toEqual([1, 0, 0])
})

test('no schema, summary or example of the contract is sent to browsers', () => {
  const scripts = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js'))
  const all = scripts.map((name) => readFileSync(join(built, 'assets', name), 'utf8')).join('\n')
  expect(all).toContain('/api/v1/auth/session')
  expect(all).not.toMatch(/quiet-lamp-over-snow|additionalProperties|Who you are/)
})

test('the first page asks for at most 27 things, a second visit for what may have changed', async () => {
  await using screen = await app.screen()
  const { page, requests } = screen
  const sent: string[] = []
  page.on('response', (response) => {
    if (!response.fromServiceWorker() && response.url().includes('/assets/')) sent.push(response.url())
  })
  await screen.open('/')
  await page.getByRole('list', { name: 'Recently added' }).getByRole('link').first().waitFor()
  const apiPaths = () => requests.filter((each) => each.includes('/api/v1/')).map((each) => new URL(each).pathname)
  // One request loads the shelves in view and one what is open, two the libraries and saved searches of the sidebar; the
  // others load the user, the look of the app, running tasks, notifications, what recommends, which the navigation shows,
  // and for an administrator the server's problems.
  await expect
    .poll(() => apiPaths().toSorted())
    .toEqual([
      '/api/v1/admin/server/problems',
      '/api/v1/auth/session',
      '/api/v1/events',
      '/api/v1/filter-presets',
      '/api/v1/home',
      '/api/v1/home/open',
      '/api/v1/libraries/at-a-glance',
      '/api/v1/user/notifications/unread-count',
      '/api/v1/user/plugins',
      '/api/v1/user/preferences',
    ])
  console.log(`  figure: ${requests.length} requests to the first page, ${apiPaths().length} of them of the API`)
  expect(requests.length).toBeLessThanOrEqual(27)
  expect(await screen.jumps()).toEqual([])

  const again = await page.evaluate<string[]>(`fetch('/assets/' + [...document.scripts].at(-1).src.split('/').at(-1))
    .then((response) => [response.headers.get('cache-control'), response.headers.get('content-encoding') ?? ''])`)
  expect(again[0]).toContain('immutable')
})

/** What was asked for before anything was painted. When it then reached the screen is up to the machine. */
const entriesBeforeFirstPaint = `performance.getEntriesByType('resource')
  .filter(({ startTime }) => startTime < performance.getEntriesByName('first-contentful-paint')[0].paintTime)`
const beforeFirstPaint = `${entriesBeforeFirstPaint}.map(({ name }) => new URL(name).pathname)`
const bytesBeforeFirstPaint = `${entriesBeforeFirstPaint}.reduce((sum, { transferSize }) => sum + transferSize, 0)`

const firstPaints = `performance.getEntriesByName('first-contentful-paint').length`

test('the first page asks for at most 12 files and 7 answers, 310 kB, before anything is seen', async () => {
  await using screen = await app.screen()
  await screen.open('/')
  // A page can be there before the browser has painted anything of it.
  await expect.poll(() => screen.page.evaluate<number>(firstPaints)).toBe(1)
  const requested = await screen.page.evaluate<string[]>(beforeFirstPaint)
  const files = requested.filter((each) => each.includes('/assets/'))
  const answers = requested.filter((each) => each.includes('/api/'))
  const bytes = await screen.page.evaluate<number>(bytesBeforeFirstPaint)
  console.log(`  figure: ${files.length} files and ${answers.length} answers, ${bytes} bytes, before the first paint`)
  // With the stream of events, which is no answer yet, these are 20 requests.
  expect(files.length).toBeLessThanOrEqual(12)
  expect(answers.length).toBeLessThanOrEqual(7)
  expect(bytes).toBeLessThanOrEqual(310_000)
})

test('G1 what is running while the app starts is not told before the page is seen', async () => {
  await using screen = await app.screen()
  const { page } = screen
  const told = Promise.withResolvers<void>()
  const event = { type: 'task_progress', taskId: 'one', taskType: 'make_covers', status: 'processing' }
  await page.route('**/api/v1/events**', async (route) => {
    await route.fulfill({
      contentType: 'text/event-stream',
      body: `event: task_progress\ndata: ${JSON.stringify(event)}\n\n`,
    })
    told.resolve()
  })
  await page.route('**/api/v1/home', async (route) => {
    await told.promise
    await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`)
    await route.continue()
  })
  await screen.open('/')
  await expect.poll(() => screen.requests.some((each) => each.includes('/running-line-'))).toBe(true)
  await expect.poll(() => page.evaluate<number>(firstPaints)).toBe(1)
  expect((await page.evaluate<string[]>(beforeFirstPaint)).filter((each) => each.includes('running-line'))).toEqual([])
})

test('a server that goes away is said to, with what happens next, and is there again by itself', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  screen.forgive(/ERR_|Failed to (load|fetch)|load preload assets/)
  await screen.open('/')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Want', exact: true }).click()
  await page.getByText(/The server does not answer/).waitFor()
  await screen.picture('connection-lost')
  // The page that is still to come has no heading yet, and says that it is on its way: nobody waits for it here.
  expect((await findAmiss(page)).filter((each) => !each.startsWith('page-has-heading-one'))).toEqual([])

  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Want to read', level: 1 }).waitFor()
  await expect.poll(() => page.getByText(/The server does not answer/).count()).toBe(0)
})

test('the keyboard alone: past the navigation, to a page, and to the list of keys and back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.getByRole('button', { name: 'Skip to the content' }).focus()
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('main')

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard' })
  await dialog.getByText('Go home').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('shortcuts')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  // Keys that are typed into a field are text.
  await screen.open('/account')
  await page.getByLabel('E-mail address').fill('')
  await page.getByLabel('E-mail address').press('?')
  expect(await dialog.count()).toBe(0)
})
