import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfFile } from '../../../test/books/pdf.ts'
import { jpeg, png, tinyJpeg } from '../../../test/books/pictures.ts'
import { rar4Archive, rar5Archive } from '../../../test/books/rar.ts'
import { sevenZipArchive } from '../../../test/books/seven-zip.ts'
import { tarArchive } from '../../../test/books/tar.ts'
import { zip } from '../../../test/books/zip.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { ask, comic, sha } from '../../../test/page-requests.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

/** Most of the tests read their own books, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** It may have ended already. */
const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

interface DecoderProcess {
  readonly pid: number
  /** What it has taken of the processor, in ticks. */
  readonly computed: number
}

/** Decoders of this very process. */
const decoderProcesses = async (): Promise<DecoderProcess[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const computed = Number(fields[11]) + Number(fields[12])
      const isOurs = Number(fields[1]) === process.pid && command.includes('decoders/main.ts')
      return isOurs ? [{ pid: Number(pid), computed }] : []
    }),
  )
  return processes.flat()
}

test('HTTP-6 W17 a page is kept for ever by those who name its version, and asked for again by others', async () => {
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', comic)
  const reader = await server.person('reader')
  const row = await server.context.db.read
    .selectFrom('file')
    .select('file_hash')
    .where('book_id', '=', id)
    .executeTakeFirstOrThrow()
  const address = `/api/v1/books/${id}/pages/1`

  const first = await ask(server, reader, address)
  const etag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  expect(etag).toMatch(/^"[\w.-]+"$/)
  const versioned = await ask(server, reader, `${address}?v=${row.file_hash}`)
  expect(versioned.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  const stale = await ask(server, reader, `${address}?v=older`)
  expect(stale.headers.get('cache-control')).toBe('private, no-cache')

  // Whoever has it hears so even where the file cannot be read.
  await rm(shelf.pathOf('one.cbz'))
  const again = await ask(server, reader, address, { 'if-none-match': etag })
  expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag])
})

test('P-6 a large page that is fetched slowly, or given up, is not mixed with those that others fetch meanwhile', async () => {
  await using shelf = await fillShelf(server)
  const large = [1, 2, 3].map((seed) => Buffer.concat([tinyJpeg(seed), Buffer.alloc(7_000_000, `of page ${seed}`)]))
  const id = await shelf.addBook(
    'one.cbz',
    zip(large.map((bytes, index) => ({ name: `${index}.jpg`, bytes, method: 'stored' }))),
  )
  const reader = await server.person('reader')
  const open = (number: number, signal?: AbortSignal) =>
    fetch(`${server.url}/api/v1/books/${id}/pages/${number}`, {
      headers: { authorization: `Bearer ${reader.accessToken}` },
      ...(signal && { signal }),
    })
  const isWhole = async (reply: Response, number: number) =>
    Buffer.from(await reply.arrayBuffer()).equals(large[number - 1] ?? Buffer.alloc(0))

  for (let round = 0; round < 3; round += 1) {
    const giveUp = new AbortController()
    const slow = await open(1)
    await open(2, giveUp.signal)
    giveUp.abort()
    expect(await isWhole(await open(3), 3)).toBe(true)
    expect(await isWhole(await open(2), 2)).toBe(true)
    expect(await isWhole(slow, 1)).toBe(true)
  }
})

test('LIB-7 P-6 a page that is not what its checksum says is 422, and the others are still there', async () => {
  await using shelf = await fillShelf(server)
  const archive = zip([
    { name: '1.jpg', bytes: tinyJpeg(1), method: 'stored' },
    { name: '2.jpg', bytes: tinyJpeg(2), method: 'stored' },
    { name: '3.jpg', bytes: tinyJpeg(3), method: 'deflated' },
  ])
  const broken = Buffer.from(archive)
  const second = archive.indexOf(tinyJpeg(2))
  broken[second + 700] = (broken[second + 700] ?? 0) ^ 0xff
  broken[archive.indexOf('3.jpg') + 200] = (broken[archive.indexOf('3.jpg') + 200] ?? 0) ^ 0xff
  const id = await shelf.addBook('one.cbz', broken)
  const reader = await server.person('reader')

  expect(sha((await ask(server, reader, `/api/v1/books/${id}/pages/1`)).bytes)).toBe(sha(tinyJpeg(1)))
  for (const path of ['pages/2', 'pages/3', 'pages/2?width=100&format=webp']) {
    const { status, bytes, headers } = await ask(server, reader, `/api/v1/books/${id}/${path}`)
    const { error } = JSON.parse(bytes.toString()) as api.ErrorReply
    expect([path, status, error, headers.get('cache-control'), headers.get('etag')]).toEqual([
      path,
      422,
      'damaged_file',
      'no-store',
      null,
    ])
  }
})

test('T-15 what is no picture is never sent as anything a browser shows', async () => {
  await using shelf = await fillShelf(server)
  const html = Buffer.from('<html><script>alert(1)</script></html>')
  const id = await shelf.addBook('pages', { '1.jpg': tinyJpeg(1), '2.jpg': tinyJpeg(2) })
  await writeFile(
    join(shelf.pathOf('pages'), '2.jpg'),
    Buffer.concat([html, Buffer.alloc(tinyJpeg(2).length - html.length, 32)]),
  )
  const reader = await server.person('reader')
  const { status, headers } = await ask(server, reader, `/api/v1/books/${id}/pages/2`)

  expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    'application/octet-stream',
    'attachment; filename="2.jpg"',
  ])
})

test('LIB-8 a page comes as wide as wanted, in the format wanted, and is kept', async () => {
  await using shelf = await fillShelf(server)
  const large = jpeg({ width: 1200, height: 1800 })
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: large, method: 'stored' }]))
  const reader = await server.person('reader')
  const page = async (query: string, headers: Record<string, string> = {}) => {
    const { status, headers: got, bytes } = await ask(server, reader, `/api/v1/books/${id}/pages/1${query}`, headers)
    const { width, format, space } = await sharp(bytes).metadata()
    return { status, type: got.get('content-type'), width, format, space, bytes, etag: got.get('etag') }
  }

  expect(await page('?width=600')).toMatchObject({ width: 640, format: 'jpeg', type: 'image/jpeg' })
  expect(await page('?width=601', { accept: 'image/avif,image/webp,*/*' })).toMatchObject({
    width: 640,
    format: 'webp',
  })
  expect(await page('?format=webp')).toMatchObject({ width: 1200, format: 'webp', space: 'srgb' })
  expect(await page('?width=320&format=avif')).toMatchObject({ width: 320, format: 'heif', type: 'image/avif' })
  const asItIs = await page('?width=5000')
  expect(sha(asItIs.bytes)).toBe(sha(large))

  const [one, other] = await Promise.all([page('?width=320'), page('?width=320')])
  expect([one.etag, sha(one.bytes)]).toEqual([other.etag, sha(other.bytes)])
  // From the cache: the book is not there any more to make it anew.
  await rm(shelf.pathOf('one.cbz'))
  expect(sha((await page('?width=320')).bytes)).toBe(sha(one.bytes))
})

test('LIB-3 a page of a kind that browsers do not show is converted for those who do not name it', async () => {
  await using shelf = await fillShelf(server)
  const tiff = await sharp(tinyJpeg(1)).tiff().toBuffer()
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.tif', bytes: tiff, method: 'stored' }]))
  const reader = await server.person('reader')
  const address = `/api/v1/books/${id}/pages/1`
  const typeFor = async (accept: string) => {
    const { status, headers } = await ask(server, reader, address, { accept })
    return [status, headers.get('content-type'), headers.get('vary')?.includes('Accept')]
  }

  expect(await typeFor('image/avif,image/webp,*/*')).toEqual([200, 'image/jpeg', true])
  expect(await typeFor('image/tiff,*/*')).toEqual([200, 'image/tiff', true])
  expect(await typeFor('image/tiff;q=0')).toEqual([200, 'image/jpeg', true])
})

test('F6 LIB-3 a page is sent as WebP or AVIF to those who take it, and converted for those who list other pictures', async () => {
  await using server = await startServer({ env: { CARREL_SETTING_COMPAT_ENABLED: 'true' } })
  await using shelf = await fillShelf(server)
  const pages = [
    { name: '1.webp', bytes: await sharp(tinyJpeg(1)).webp().toBuffer() },
    { name: '2.avif', bytes: await sharp(tinyJpeg(2)).avif().toBuffer() },
  ]
  const id = await shelf.addBook('one.cbz', zip(pages.map((page) => ({ ...page, method: 'stored' as const }))))
  const reader = await server.person('reader')
  const typeFor = async (address: string, accept: string) => {
    const { status, headers, bytes } = await ask(server, reader, address, { accept })
    const { format } = await sharp(bytes).metadata()
    expect([status, headers.get('vary')?.includes('Accept')]).toEqual([200, true])
    return [headers.get('content-type'), format]
  }
  const own = [
    ['image/webp', 'webp'],
    ['image/avif', 'heif'],
  ]

  for (const [index, asItIs] of own.entries())
    for (const path of [
      `/api/v1/books/${id}/pages/`,
      `/media/books/${id}/pages/`,
      `/komga/api/v1/books/${id}/pages/`,
    ]) {
      const address = path + String(index + 1)
      for (const accept of ['', '*/*', 'image/*;q=0.8', 'image/webp,image/avif', 'text/html,image/*,*/*;q=0.8'])
        expect([address, accept, await typeFor(address, accept)]).toEqual([address, accept, asItIs])
      const others = { 'image/jpeg,image/png': 'jpeg', 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/gif': 'jpeg' }
      for (const [accept, format] of Object.entries(others))
        expect([address, accept, await typeFor(address, accept)]).toEqual([
          address,
          accept,
          [`image/${format}`, format],
        ])
      const but = `*/*,${asItIs[0]};q=0`
      expect(await typeFor(address, but)).toEqual(['image/jpeg', 'jpeg'])
      // A narrower one too.
      expect(await typeFor(`${address}?width=320`, 'image/jpeg,image/png')).toEqual(['image/jpeg', 'jpeg'])
    }
})

test('LIB-3 LIB-8 pages of RAR, 7z and TAR are as they stand in the archive, and come in other sizes', async () => {
  await using shelf = await fillShelf(server)
  const large = jpeg({ width: 1200, height: 1800 })
  const members = [
    { name: 'b/2.jpg', bytes: tinyJpeg(2) },
    { name: 'a/1.jpg', bytes: large },
    { name: 'c/3.png', bytes: png({ width: 40, height: 60 }) },
  ]
  const inOrder = [members[1], members[0], members[2]].map((member) => member?.bytes ?? Buffer.alloc(0))
  const archives = {
    'four.cbr': rar4Archive(members),
    'five.cbr': rar5Archive(members),
    'seven.cb7': await sevenZipArchive(members),
    'tar.cbt': tarArchive(members),
  }
  const reader = await server.person('reader')

  for (const [name, bytes] of Object.entries(archives)) {
    const id = await shelf.addBook(name, bytes)
    const listed = bodyOf(await reader.call(api.listPages, { params: { id } }))
    expect([name, listed.map(({ fileName }) => fileName)]).toEqual([name, ['1.jpg', '2.jpg', '3.png']])
    const page = (path: string) => ask(server, reader, `/api/v1/books/${id}/pages/${path}`)
    for (const [index, expected] of inOrder.entries()) {
      const { status, headers, bytes } = await page(String(index + 1))
      const type = index === 2 ? 'image/png' : 'image/jpeg'
      expect([name, status, headers.get('content-type'), sha(bytes)]).toEqual([name, 200, type, sha(expected)])
    }
    const small = await page('1?width=320&format=webp')
    const { width, format } = await sharp(small.bytes).metadata()
    expect([name, width, format]).toEqual([name, 320, 'webp'])
    expect([name, (await page('4')).status]).toEqual([name, 404])
  }
})

test('W4 a user who asks for more pictures at once than the lane holds hears when to ask again, and others do not', async () => {
  const storage = Promise.withResolvers<void>()
  await using server = await startServer({
    runLimited: async (_, work) => {
      await storage.promise
      return work()
    },
  })
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', comic)
  const [reader, other] = [await server.person('reader'), await server.person('reader')]
  const picture = (who: Person) => ask(server, who, `/media/books/${id}/pages/1`)

  const refused: (string | null)[] = []
  const all = Array.from({ length: 70 }, async () => {
    const { status, headers, bytes } = await picture(reader)
    if (status !== 200) refused.push(`${status} ${headers.get('retry-after')} ${errorIn(bytes)}`)
    return status
  })
  await expect.poll(() => refused).toEqual(Array.from({ length: 6 }, () => '503 1 unavailable'))
  const others = picture(other)
  storage.resolve()
  expect((await Promise.all(all)).filter((status) => status === 200)).toHaveLength(64)
  expect((await others).status).toBe(200)
  expect((await picture(reader)).status).toBe(200)
})

const errorIn = (bytes: Buffer): string => (JSON.parse(bytes.toString()) as api.ErrorReply).error

test('P-6 a book that is written over while it is read never gives bytes that are not those of its page', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const big = jpeg({ width: 1200, height: 1800, detail: 40 })
  const book = (shift: number) =>
    zip([
      ...Array.from({ length: shift }, (_, index) => ({
        name: `0${index}.txt`,
        bytes: Buffer.from('x'.repeat(index * 7)),
      })),
      { name: '1.jpg', bytes: big, method: 'stored' as const },
    ])
  const id = await shelf.addBook('one.cbz', book(0))
  const reader = await server.person('reader')
  const path = shelf.pathOf('one.cbz')
  const full = await readFile(path)

  const over = new AbortController()
  const writing = (async () => {
    for (let round = 0; !over.signal.aborted; round += 1) {
      if (round % 3 === 0) await truncate(path, 1000)
      else if (round % 3 === 1) await writeFile(path, book(round % 5))
      else {
        await writeFile(`${path}.new`, book(3))
        await rename(`${path}.new`, path)
      }
    }
  })()
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const seen: string[] = []
      for (let time = 0; time < 4; time += 1) {
        const { status, bytes } = await ask(server, reader, `/api/v1/books/${id}/pages/1`)
        seen.push(status === 200 ? (sha(bytes) === sha(big) ? 'right' : 'wrong') : String(status))
      }
      return seen
    }),
  )
  over.abort()
  await writing
  const honest = ['right', '503', '404', '422']
  expect(answers.flat().filter((answer) => !honest.includes(answer))).toEqual([])

  // The file is as it was, with other times: what was known of it does not hold until a scan has seen it.
  await writeFile(path, full)
  expect((await ask(server, reader, `/api/v1/books/${id}/pages/1`)).status).toBe(503)
})

test('a decoder that is killed in the middle fails its page, and the next one is made', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const large = jpeg({ width: 1600, height: 2400, detail: 60 })
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: large, method: 'stored' }]))
  const reader = await server.person('reader')
  const address = `/api/v1/books/${id}/pages/1?format=avif`
  const over = new AbortController()
  const pending = ask(server, reader, address).finally(() => over.abort())
  // None lives long enough to make it.
  while (!over.signal.aborted) for (const { pid } of await decoderProcesses()) end(pid)

  expect([422, 503]).toContain((await pending).status)
  expect((await ask(server, reader, `/api/v1/books/${id}/pages/1?width=320`)).status).toBe(200)
  server.forgive('A decoder has crashed')
})

test('B5 LIB-7 a book that ends its decoder three times is quarantined: it answers 422 at once, is listed, and a retry lifts it', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const large = jpeg({ width: 1600, height: 2400, detail: 60 })
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: large, method: 'stored' }]))
  const sound = await shelf.addBook('two.cbz', zip([{ name: '1.jpg', bytes: tinyJpeg(1), method: 'stored' }]))
  const admin = await server.person('admin')
  const address = `/api/v1/books/${id}/pages/1?format=avif`
  // Whatever a decoder has computed beyond a start and a page of some pixels it has computed over the book.
  expect((await ask(server, admin, `/api/v1/books/${sound}/pages/1?format=avif`)).status).toBe(200)
  const usual = Math.max(...(await decoderProcesses()).map(({ computed }) => computed))
  const crashed = async () => {
    const over = new AbortController()
    const pending = ask(server, admin, address).finally(() => over.abort())
    while (!over.signal.aborted)
      for (const { pid, computed } of await decoderProcesses()) if (computed > 1.5 * usual) end(pid)
    return pending
  }
  server.forgive('A decoder has crashed')

  const first = [await crashed(), await crashed(), await crashed()]
  // Nobody who opened it now would find it.
  const path = shelf.pathOf('one.cbz')
  await rename(path, `${path}.away`)
  const later = [await ask(server, admin, address), await ask(server, admin, `/api/v1/books/${id}/manifest`)]
  await rename(`${path}.away`, path)

  for (const { status } of first) expect([422, 503]).toContain(status)
  expect(later.map(({ status }) => status)).toEqual([422, 422])
  const { data } = bodyOf(await admin.call(api.listBookErrors, {}))
  expect(data).toMatchObject([{ bookId: id, isQuarantined: true }])
  expect((await ask(server, admin, `/api/v1/books/${sound}/pages/1`)).status).toBe(200)

  await admin.call(api.retryBookError, { params: { bookId: id } })

  expect(bodyOf(await admin.call(api.listBookErrors, {})).data).toEqual([])
})

test('F3 the words of a page of a PDF have their places, are worked out once, and a page of pictures has none', async () => {
  await using shelf = await fillShelf(server)
  const bytes = pdfFile({ pages: [{ text: ['The Lighthouse', 'by Ada Blanc'] }, {}] })
  const [drawn, pictures] = [await shelf.addBook('one.pdf', bytes), await shelf.addBook('one.cbz', comic)]
  const { call } = await server.person('reader')
  const wordsOf = (id: string, number: number) => call(api.readPageText, { params: { id, number } })

  const { words, truncated } = bodyOf(await wordsOf(drawn, 1))
  expect([words.map(({ text }) => text), truncated]).toEqual([['The ', 'Lighthouse\n', 'by ', 'Ada ', 'Blanc'], false])
  const [the, lighthouse, by] = words
  expect(lighthouse?.left).toBeGreaterThan((the?.left ?? 1) + (the?.width ?? 1))
  expect(by?.top).toBeGreaterThan(the?.top ?? 1)
  expect(bodyOf(await wordsOf(drawn, 2)).words).toEqual([])
  expect(bodyOf(await wordsOf(pictures, 1)).words).toEqual([])
  for (const id of [drawn, pictures]) {
    const { status } = await wordsOf(id, 9)
    expect(status).toBe(404)
  }

  await rm(shelf.pathOf('one.pdf'))
  expect(bodyOf(await wordsOf(drawn, 1)).words).toHaveLength(5)
})
