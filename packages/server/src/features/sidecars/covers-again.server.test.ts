import { hash } from 'node:crypto'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { readSidecarsOn, writeSidecarsOf } from '../../../test/sidecars.ts'
import { type Person, startServer } from '../../../test/start-server.ts'
import { ask, plain } from '../../../test/thumbnails.ts'
import { showPluginCover } from '../covers/covers.ts'

/** Covers of a book and its series, but for their ids and times. */
const coversOf = async (person: Person, book: { readonly id: string; readonly series_id: string }) => {
  const lists = [
    bodyOf(await person.call(api.listBookCovers, { params: { id: book.id } })),
    bodyOf(await person.call(api.listSeriesCovers, { params: { id: book.series_id } })),
  ]
  return lists.map((list) => list.map((cover) => ({ ...cover, id: undefined, createdAt: undefined })))
}

test('C26 covers that people and plugins have given are there again, with the one that is shown', async () => {
  await using own = await libraryFolder()
  await own.write('A/one.cbz', comic({ seed: 81, pages: 3 }))
  await own.write('A/two.cbz', comic({ seed: 82 }))
  await using first = await startServer()
  const id = await addLibraryOn(first, { roots: [own.path] })
  await scanNow(first, id)
  const editor = await first.person('editor')
  const book = (await booksOf(first, id)).get('A/one.cbz')
  const [params, ofSeries] = [{ id: book?.id ?? '' }, { id: book?.series_id ?? '' }]
  const picture = async (colour: string) => new Uint8Array(await plain(colour, 300, 450))
  const red = bodyOf(await editor.call(api.uploadBookCover, { params, body: await picture('#d03020') }))
  bodyOf(await editor.call(api.coverOfBookFromPage, { params, body: { page: 2 } }))
  await editor.call(api.selectBookCover, { params: { ...params, coverId: red.id } })
  bodyOf(await editor.call(api.uploadSeriesCover, { params: ofSeries, body: await picture('#2030d0') }))
  const blue = await first.context.db.read.selectFrom('cover').selectAll().where('entity', '=', 'series').execute()
  const [stored] = blue
  if (!stored) throw new Error('The series has no cover')
  const { width, height, placeholder, tone, content_hash: contentHash } = stored
  const cover = {
    width: width ?? 1,
    height: height ?? 1,
    placeholder: placeholder ?? '',
    tone: tone ?? '',
    contentHash,
  }
  const told = (await booksOf(first, id)).get('A/two.cbz')?.id ?? ''
  const ofPlugin = { source: 'plugin:teller', cover }
  await first.context.db.write((db) => showPluginCover(db, { kind: 'book', id: told }, ofPlugin, new Date()))
  await using written = await libraryFolder()
  await writeSidecarsOf(first, written.path)

  await using other = await startServer()
  const there = await addLibraryOn(other, { roots: [own.path] })
  await scanNow(other, there)
  expect(await readSidecarsOn(other, written.path)).toMatchObject({ applied: 3, unknown: 0, unreadable: 0 })
  const theirs = await other.person('editor')
  for (const path of ['A/one.cbz', 'A/two.cbz']) {
    const [here, copy] = [(await booksOf(first, id)).get(path), (await booksOf(other, there)).get(path)]
    if (!here || !copy) throw new Error(`There is no book at ${path}`)
    const covers = await coversOf(editor, here)
    expect(covers.flat().some(({ isSelected }) => isSelected)).toBe(true)
    expect(await coversOf(theirs, copy)).toEqual(covers)
    const pictures = [
      await ask(first, editor, `/api/v1/books/${here.id}/thumbnail?size=large`),
      await ask(other, theirs, `/api/v1/books/${copy.id}/thumbnail?size=large`),
    ]
    expect(pictures.map(({ status }) => status)).toEqual([200, 200])
    expect(pictures[1]?.bytes.equals(pictures[0]?.bytes ?? Buffer.alloc(0))).toBe(true)
  }
  expect(await readSidecarsOn(other, written.path)).toMatchObject({ applied: 0 })

  // Choosing another one is written out, too.
  const since = new Date()
  await editor.call(api.unselectBookCover, { params })
  expect(await writeSidecarsOf(first, written.path, since)).toMatchObject({ written: 1 })
})

test('C26 what is no picture of ours in a sidecar is no cover, and nobody who has chosen one loses it', async () => {
  await using strange = await libraryFolder()
  await strange.write('A/one.cbz', comic({ seed: 91 }))
  await using other = await startServer()
  const editor = await other.person('editor')
  const there = await addLibraryOn(other, { roots: [strange.path] })
  await scanNow(other, there)
  const id = (await booksOf(other, there)).get('A/one.cbz')?.id ?? ''
  const page = Buffer.from('<script>alert(1)</script>')
  const [jpegBytes, pngBytes] = [tinyJpeg(3), await plain('#ff0000', 30, 45)]
  const cover = (bytes: Buffer, name = hash('sha256', bytes, 'hex').slice(0, 40), source = 'upload') => {
    const text = bytes.toString('base64')
    const told = { page: null, width: 30, height: 45, placeholder: null, tone: null, at: 'then', isShown: true }
    return { source, ...told, picture: { name, large: text, small: text } }
  }
  const wrong = [cover(page), cover(pngBytes), cover(jpegBytes, '0'.repeat(40))]
  const location = { root: strange.path, path: 'A/one.cbz', contentHash: null }
  const say = (covers: readonly unknown[]) =>
    strange.write(
      'given/x.carrel.json',
      JSON.stringify({
        carrel: 'sidecar',
        version: 1,
        kind: 'book',
        library: '',
        books: [location],
        shown: {},
        said: {},
        covers,
      }),
    )
  const sources = async () =>
    bodyOf(await editor.call(api.listBookCovers, { params: { id } })).map(({ source }) => source)

  await say(wrong)
  expect(await readSidecarsOn(other, strange.in('given'))).toMatchObject({ applied: 0, left: 1, unreadable: 0 })
  await say([cover(jpegBytes, undefined, 'file:comicinfo')])
  expect(await readSidecarsOn(other, strange.in('given'))).toMatchObject({ applied: 0, unreadable: 1 })
  expect(await sources()).toEqual([])
  const chosen = await editor.call(api.uploadBookCover, { params: { id }, body: new Uint8Array(pngBytes) })
  await say([cover(jpegBytes)])
  expect(await readSidecarsOn(other, strange.in('given'))).toMatchObject({ applied: 0, left: 1 })
  expect(bodyOf(await editor.call(api.listBookCovers, { params: { id } })).map((each) => each.id)).toEqual([
    bodyOf(chosen).id,
  ])
  await editor.call(api.deleteBookCover, { params: { id, coverId: bodyOf(chosen).id } })
  expect(await readSidecarsOn(other, strange.in('given'))).toMatchObject({ applied: 1 })
  expect(await sources()).toContain('upload')
})
