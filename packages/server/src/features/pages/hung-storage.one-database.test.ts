import { expect, test } from 'vitest'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { startServer } from '../../../test/start-server.ts'
import { AppError } from '../../platform/errors.ts'

const comic = zip([{ name: '1.jpg', bytes: tinyJpeg(1), method: 'stored' }])

test('P-7 W14 a root that does not answer takes its own books with it, and nothing else', async () => {
  const hung = new Set<string>()
  const passed: string[] = []
  await using server = await startServer({
    runLimited: async (rootId, work) => {
      passed.push(rootId)
      if (hung.has(rootId)) throw new AppError('library_unavailable', 'The storage does not answer.')
      return work()
    },
  })
  await using shelf = await fillShelf(server)
  await using other = await fillShelf(server)
  const [id, fine] = [await shelf.addBook('one.cbz', comic), await other.addBook('two.cbz', comic)]
  const reader = await server.person('reader')
  const statusOf = async (path: string) => {
    const headers = { authorization: `Bearer ${reader.accessToken}` }
    const response = await fetch(`${server.url}/api/v1/books/${path}`, { headers })
    await response.arrayBuffer()
    return [response.status, response.headers.has('retry-after')]
  }
  hung.add(shelf.series.library.rootId)

  for (const path of ['pages/1', 'pages/1?width=320&format=webp', 'file', 'manifest', 'search?q=a'])
    expect([path, await statusOf(`${id}/${path}`)]).toEqual([path, [503, true]])
  for (const path of ['pages', 'thumbnail'])
    expect([path, await statusOf(`${id}/${path}`)]).toEqual([path, [200, false]])
  for (const path of ['pages/1', 'file', 'thumbnail', 'manifest'])
    expect([path, await statusOf(`${fine}/${path}`)]).toEqual([path, [200, false]])
  hung.clear()
  for (const path of ['pages/1', 'file']) expect((await statusOf(`${id}/${path}`))[0]).toBe(200)
  expect(new Set(passed)).toEqual(new Set([shelf.series.library.rootId, other.series.library.rootId]))
})
