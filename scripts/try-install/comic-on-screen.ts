import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { launchChromium, unpackChromium } from '../../e2e/chromium.ts'
import { comic } from '../../packages/server/test/library-folder.ts'
import { bodyOf } from '../../packages/server/test/outcome.ts'

const password = 'quiet-lamp-over-snow'
const waitMs = 60_000

/** A folder with one comic in it, which anybody may read. */
export const makeLibrary = (folder: string): void => {
  mkdirSync(join(folder, 'Saga'), { recursive: true, mode: 0o755 })
  writeFileSync(join(folder, 'Saga/Saga 1.cbz'), comic({ seed: 1, pages: 3 }), { mode: 0o644 })
}

export interface Reader {
  readonly url: string
  readonly bookId: string
}

/**
 * What somebody does who has just installed Carrel: be the first user, name the folder of books, open a comic in a browser. The folder
 * is named as the server sees it.
 */
export const readComicAt = async (url: string, folder: string): Promise<Reader> => {
  await answering(url)
  const { cookie, call } = await beFirst(url)
  const { id: libraryId } = bodyOf(await call(api.createLibrary, { body: { name: 'Comics', roots: [folder] } }))
  await until('the scan', async () => {
    const scan = bodyOf(await call(api.readScanStatus, { params: { id: libraryId } }))
    return scan?.status === 'completed' && scan.analysisPending === 0
  })
  const [book] = bodyOf(await call(api.listBooks, {})).data
  if (!book) throw new Error('The scan has found no book')
  const page = await fetch(`${url}/media/books/${book.id}/pages/1`, { headers: { cookie } })
  const bytes = Buffer.from(await page.arrayBuffer())
  if (page.status !== 200 || bytes.readUInt16BE(0) !== 0xff_d8)
    throw new Error(`Page 1 is answered with ${page.status}`)
  await seeInBrowser(url, cookie, book.id)
  return { url, bookId: book.id }
}

/** The first user signs in again and finds the book where it was. */
export const stillReads = async ({ url, bookId }: Reader): Promise<void> => {
  await answering(url)
  const { accessToken } = bodyOf(
    await api.createClient({ baseUrl: url })(api.login, { body: { username: 'ana', password } }),
  )
  const call = api.createClient({ baseUrl: url, headers: { authorization: `Bearer ${accessToken}` } })
  bodyOf(await call(api.readBook, { params: { id: bookId } }))
}

const beFirst = async (url: string) => {
  const reply = await api.createClient({ baseUrl: url })(api.setUp, { body: { username: 'ana', password } })
  const { accessToken } = bodyOf(reply)
  return {
    cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '',
    call: api.createClient({ baseUrl: url, headers: { authorization: `Bearer ${accessToken}` } }),
  }
}

/** A picture that could not be read has no size. */
const isShown = "[...document.images].some(({ alt, naturalWidth }) => alt === 'Page 1' && naturalWidth > 0)"

/** The reader shows the page, with a picture that has a size. */
const seeInBrowser = async (url: string, cookie: string, bookId: string): Promise<void> => {
  await using unpacked = await unpackChromium()
  const browser = await launchChromium(unpacked.folder)
  try {
    const context = await browser.newContext()
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
    const page = await context.newPage()
    await page.goto(`${url}/read/${bookId}`)
    await page.getByRole('img', { name: 'Page 1' }).waitFor({ timeout: waitMs })
    await until('the picture of page 1', () => page.evaluate<boolean>(isShown))
  } finally {
    await browser.close()
  }
}

const answering = (url: string): Promise<void> =>
  until(`an answer at ${url}`, async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok ?? false)

export const until = async (what: string, attempt: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + waitMs
  while (performance.now() < end) {
    if (await attempt()) return
    await delay(100)
  }
  throw new Error(`Waited for ${what} in vain`)
}
