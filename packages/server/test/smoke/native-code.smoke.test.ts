import { existsSync, readFileSync } from 'node:fs'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { epub } from '../books/epub.ts'
import { pdfFile } from '../books/pdf.ts'
import { jpeg, tinyJpeg } from '../books/pictures.ts'
import { rar5Archive } from '../books/rar.ts'
import { sevenZipArchive } from '../books/seven-zip.ts'
import { zip } from '../books/zip.ts'
import { libraryFolder } from '../library-folder.ts'
import { bodyOf } from '../outcome.ts'
import { claim, startCarrel } from './carrel.ts'
import { childrenOf, commandOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

/** These libraries open files of strangers: natively, or as WebAssembly inside the process. */
const decoding = /vips|sharp|pdfium|7z|unrar/i

/** It lists all files that are mapped into the memory of a process. The random name of a test's own folder may have any letters in it. */
const mappedIn = (pid: number, ownFolder: string): string[] => {
  const paths = readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/ (\/\S.*)$/gm)
  return [...new Set([...paths].map(([, path = '']) => path.replace(ownFolder, '').replace(/^.*node_modules/, '')))]
}

const members = [1, 2].map((page) => ({ name: `${page}.jpg`, bytes: tinyJpeg(page) }))
const books = async (): Promise<Readonly<Record<string, Buffer>>> => ({
  'comic.cbz': zip([{ name: '1.jpg', bytes: jpeg({ width: 900, height: 1200 }), method: 'deflated' }]),
  'comic.cbr': rar5Archive(members),
  'comic.cb7': await sevenZipArchive(members),
  'text.epub': epub({ chapters: 2 }),
  'paper.pdf': pdfFile({ pages: [{ text: ['One'] }, { text: ['Two'] }] }),
})

test('T-19 LIB-3 LIB-8 no process that holds the database or a secret loads what opens books', async ({ skip }) => {
  if (!existsSync('/proc/self/maps')) {
    const note = 'NOT TESTED: what is loaded in which process, because this system does not say it in /proc'
    console.warn(note)
    skip(note)
  }
  await using data = await temporaryFolder()
  await using folder = await libraryFolder()
  const files = await books()
  for (const [name, bytes] of Object.entries(files)) await folder.write(`A/${name}`, bytes)
  await using carrel = await startCarrel({ cwd: data.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } })
  const admin = await claim(carrel)
  const body = { name: 'Books', roots: [folder.path], watch: false }
  const { id } = bodyOf(await admin.call(api.createLibrary, { body }))
  await waitUntil('all books to be read', async () => {
    const scan = bodyOf(await admin.call(api.readScanStatus, { params: { id } }))
    return scan?.status === 'completed' && scan.analysisPending === 0
  })
  const { data: listed } = bodyOf(await admin.call(api.listBooks, {}))
  expect(listed.map(({ analysisError }) => analysisError)).toEqual(Object.keys(files).map(() => null))
  const paths = ['thumbnail', 'file']
  for (const book of listed) {
    const parts =
      book.fileFormat === 'epub'
        ? ['manifest', 'positions', 'search?q=a']
        : ['pages', 'pages/1', 'pages/1?width=320&format=webp']
    for (const path of [...paths, ...parts]) {
      const headers = { authorization: `Bearer ${admin.accessToken}` }
      const response = await fetch(`${carrel.url}/api/v1/books/${book.id}/${path}`, { headers })
      await response.arrayBuffer()
      expect([book.fileFormat, path, response.status]).toEqual([book.fileFormat, path, 200])
    }
  }

  const worker = childrenOf(carrel.pid).filter((pid) => commandOf(pid).includes(' worker '))
  const decoders = [carrel.pid, ...worker].flatMap(childrenOf).filter((pid) => commandOf(pid).includes('decoder'))
  expect(worker).toHaveLength(1)
  for (const pid of [carrel.pid, ...worker]) {
    const mapped = mappedIn(pid, data.path)
    expect(mapped.filter((path) => /sqlite/i.test(path))).not.toEqual([])
    expect(mapped.filter((path) => decoding.test(path))).toEqual([])
  }
  // It would be seen where it is.
  expect(decoders.flatMap((pid) => mappedIn(pid, data.path)).filter((path) => decoding.test(path))).not.toEqual([])
})
