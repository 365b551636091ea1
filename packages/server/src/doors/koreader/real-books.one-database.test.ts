import { createHash } from 'node:crypto'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { linkKoreader } from '../../features/koreader/tasks.ts'

/** KOReader makes the digest like this, from up to twelve samples of a file. */
const partialMd5 = (file: Buffer): string => {
  const digest = createHash('md5')
  for (let index = -1; index <= 10; index += 1) {
    const from = index < 0 ? 0 : 1024 * 4 ** index
    if (from >= file.length) break
    digest.update(file.subarray(from, from + 1024))
  }
  return digest.digest('hex')
}

const words = (chapter: number): string => `<p>${`Words of chapter ${chapter}. `.repeat(400)}</p>`

test('KOR-1 W12 a scanned comic and an EPUB are read on in KOReader and in the web app, to the page and to the chapter', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const reader = await server.person('reader')
  const { key } = bodyOf(await reader.call(api.createApiKey, { body: { name: 'Kobo' } }))
  const novel = epub({
    title: 'Whale',
    chapters: [1, 2, 3, 4].map((position) => ({ title: `Chapter ${position}`, body: words(position) })),
  })
  const pages = comic({ seed: 1, pages: 40 })
  await folder.write('Whale/Whale.epub', novel)
  await folder.write('Comic/One.cbz', pages)
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${server.url}/koreader/syncs/progress${path}`, {
      method,
      headers: { 'x-auth-user': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(reply.status).toBe(200)
    return reply.json()
  }
  const device = { device: 'Kobo', device_id: 'K-1' }
  const push = (file: Buffer, progress: string, percentage: number) =>
    call('PUT', '', { document: partialMd5(file), progress, percentage, ...device })
  const pull = (file: Buffer) => call('GET', `/${partialMd5(file)}`)

  // The device reported it before there was any library.
  await push(pages, '7', 7 / 40)
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const books = await booksOf(server, libraryId)
  const idOf = (path: string): string => books.get(path)?.id ?? ''
  await using _ = workOn(server, [linkKoreader])
  const comicProgress = async () => {
    const reply = await reader.call(api.readProgress, { params: { id: idOf('Comic/One.cbz') } })
    return reply.ok ? reply.body?.currentPage : undefined
  }
  await expect.poll(comicProgress).toBe(7)
  bodyOf(await reader.call(api.saveProgress, { params: { id: idOf('Comic/One.cbz') }, body: { currentPage: 21 } }))
  expect(await pull(pages)).toMatchObject({ progress: '21', percentage: 21 / 40 })

  const id = idOf('Whale/Whale.epub')
  const { readingOrder } = bodyOf(await reader.call(api.readManifest, { params: { id } }))
  const third = readingOrder.findIndex(({ href }) => href.includes('3'))
  const xpointer = `/body/DocFragment[${third + 1}]/body/p[1]/text().120`
  await push(novel, xpointer, 0.6)
  expect(bodyOf(await reader.call(api.readProgression, { params: { id } }))?.locator).toMatchObject({
    href: readingOrder[third]?.href,
    locations: { totalProgression: 0.6, progression: expect.any(Number) },
  })
  expect(await pull(novel)).toMatchObject({ progress: xpointer, percentage: 0.6, ...device })
  const locator = {
    href: readingOrder[third - 1]?.href ?? '',
    type: 'application/xhtml+xml',
    locations: { progression: 0.5, totalProgression: 0.37 },
  }
  await reader.call(api.saveProgression, { params: { id }, body: { locator } })
  expect(await pull(novel)).toMatchObject({ progress: `/body/DocFragment[${third}].0`, percentage: 0.37 })
})
