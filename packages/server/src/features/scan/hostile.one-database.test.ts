import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { hostilePdfs } from '../../../test/books/hostile-pdf.ts'
import { hostileXml } from '../../../test/books/metadata.ts'
import { pdfFile } from '../../../test/books/pdf.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { rar4Archive, rar5Archive } from '../../../test/books/rar.ts'
import { sevenZipArchive } from '../../../test/books/seven-zip.ts'
import { tarArchive } from '../../../test/books/tar.ts'
import { zip } from '../../../test/books/zip.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'
import { applyAnalyses } from './analysis/apply-analysis.ts'
import { selectScannedLibrary } from './queries.ts'

const pages = (seed: number) => [1, 2, 3].map((page) => ({ name: `${page}.jpg`, bytes: tinyJpeg(seed * 10 + page) }))

test('LIB-3 every kind of book is read for what it is, whatever its name says', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/zip.cbr', comic({ seed: 1 }))
  await folder.write('A/rar4.cbr', rar4Archive(pages(2)))
  await folder.write('A/rar5.cbz', rar5Archive(pages(3)))
  await folder.write('A/seven.cb7', await sevenZipArchive(pages(4)))
  await folder.write('A/tar.cbt', tarArchive(pages(5)))
  await folder.write('A/text.epub', epub({ chapters: 3 }))
  await folder.write('A/paper.pdf', pdfFile({ pages: [{ text: ['One'] }, { text: ['Two'] }] }))
  for (const { name, bytes } of pages(6)) await folder.write(`A/Album/${name}`, bytes)
  const id = await addLibraryOn(server, { roots: [folder.path] })

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_added: 8 })

  const books = await booksOf(server, id)
  const seen = [...books.keys()].sort().map((path) => {
    const book = books.get(path)
    return [path, book?.format, (book?.page_count ?? 0) > 0, book?.fault_message]
  })
  expect(seen).toEqual([
    ['A/Album', 'folder', true, null],
    ['A/paper.pdf', 'pdf', true, null],
    ['A/rar4.cbr', 'cbr', true, null],
    ['A/rar5.cbz', 'cbr', true, null],
    ['A/seven.cb7', 'cb7', true, null],
    ['A/tar.cbt', 'cbt', true, null],
    ['A/text.epub', 'epub', true, null],
    ['A/zip.cbr', 'cbz', true, null],
  ])
})

/** Files made to do harm, and what must be said of each. */
const writeHostile = async (folder: LibraryFolder): Promise<readonly string[]> => {
  const zeros = deflateRawSync(Buffer.alloc(70 * 1024 * 1024), { level: 9 })
  const files: Record<string, Buffer> = {
    'empty.cbz': Buffer.alloc(0),
    'garbage.cbr': Buffer.from('this is no archive at all, and no book either'),
    'cut.cbz': comic({ seed: 1, pages: 4 }).subarray(0, 9000),
    'no pictures.cbz': zip([{ name: 'readme.txt', bytes: Buffer.from('nothing') }]),
    'bomb.cbz': zip([{ name: '1.jpg', bytes: zeros, method: 'stored', says: { size: 2 ** 31 - 1 } }]),
    'broken.epub': zip([{ name: 'mimetype', bytes: Buffer.from('application/epub+zip') }]),
    'cut.pdf': pdfFile({ pages: [{ text: ['One'] }] }).subarray(0, 60),
    'cut.cb7': (await sevenZipArchive(pages(9))).subarray(0, 400),
  }
  for (const [name, bytes] of Object.entries(files)) await folder.write(`Bad/${name}`, bytes)
  return Object.keys(files)
}

test('LIB-7 hostile and damaged files are listed, each with its reason, and stop nobody', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const bad = await writeHostile(folder)
  for (const [name, bytes] of Object.entries(hostilePdfs('http://127.0.0.1:9')))
    await folder.write(`Pdf/${name}.pdf`, bytes)
  for (const [index, [, xml]] of hostileXml().entries())
    await folder.write(`Xml/${index}.cbz`, comic({ seed: 100 + index, pages: 1, comicInfo: xml }))
  await folder.write('Good/neighbour.cbz', comic({ seed: 7, pages: 4 }))
  await mkdir(folder.in('Special/folder.cbz'), { recursive: true })
  execFileSync('mkfifo', [folder.in('Special/pipe.cbz')])
  await symlink('/etc/passwd', folder.in('Special/passwd.cbz'))
  await writeFile(folder.in('Special/sparse.cbz'), '')
  execFileSync('truncate', ['-s', '1T', folder.in('Special/sparse.cbz')])
  const id = await addLibraryOn(server, { roots: [folder.path] })

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', error_count: 0 })

  const books = await booksOf(server, id)
  expect(books.get('Good/neighbour.cbz')).toMatchObject({ analysis: 'done', page_count: 4 })
  for (const name of bad) {
    const book = books.get(`Bad/${name}`)
    expect([name, book?.analysis === 'failed' || book?.analysis === 'quarantined']).toEqual([name, true])
    expect([name, book?.fault_message]).toEqual([name, expect.stringMatching(/^\p{Lu}.{5,300}$/u)])
    expect(book?.fault_message).not.toContain(folder.path)
  }
  expect(books.get('Bad/no pictures.cbz')?.fault_message).toBe(
    'It is an archive without pictures in it, and no other kind of book.',
  )
  for (const [path, { analysis }] of books) expect([path, analysis]).not.toEqual([path, 'pending'])
  for (const [path, book] of [...books].filter(([each]) => each.startsWith('Xml/')))
    expect([path, book.analysis, book.page_count]).toEqual([path, 'done', 1])
  expect([...books.keys()].filter((path) => path.startsWith('Special/'))).toEqual(['Special/sparse.cbz'])
  const unpacked = join(server.context.config.dataDir, 'cache/unpacked')
  const left = existsSync(unpacked) ? readdirSync(unpacked).filter((name) => name.startsWith('.unfinished')) : []
  expect(left).toEqual([])
})

test('LIB-7 a file that ends its decoder is tried three times, then it is left alone', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const { db, clock } = server.context
  const library = await selectScannedLibrary(db.read, id)
  const bookId = (await booksOf(server, id)).get('A/1.cbz')?.id
  if (!library || bookId === undefined) throw new Error('There is no book')
  const states: (string | undefined)[] = []
  for (let time = 0; time < 3; time += 1) {
    const crash = { bookId, fault: { code: 'crashed' as const, message: 'Reading it ended its process.' } }
    await db.write((db) => applyAnalyses(db, [crash], clock()))
    states.push((await booksOf(server, id)).get('A/1.cbz')?.analysis)
  }

  expect(states).toEqual(['pending', 'pending', 'quarantined'])
})

test('LIB-5 names that hold what ends a line somewhere are names', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const names = ['\n', '\r', '\u0085', '\u2028', '\u2029', '\u202e"\\'].map((end, index) => `A/One${end}${index}.cbz`)
  for (const [index, name] of names.entries()) await folder.write(name, comic({ seed: index + 1 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_added: names.length })
  expect([...(await booksOf(server, id)).keys()].sort()).toEqual(names.sort())
})
