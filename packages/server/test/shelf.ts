import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Analysis } from '../src/decoders/analyse.ts'
import { savePages } from '../src/features/pages/pages.ts'
import { addBooks, addLibrary, addSeries, type AddedSeries, type BookOptions, type SeriesOptions } from './content.ts'
import type { TestServer } from './start-server.ts'

/** A library with real files in it. */
export interface Shelf {
  readonly root: string
  readonly series: AddedSeries
  addSeries(options?: SeriesOptions): Promise<AddedSeries>
  /** It writes the file, and what a scan would write down of it unless it is to be unread. It returns the book's id. */
  addBook(name: string, content: BookContent, more?: MoreOfBook): Promise<string>
  /** It returns the path of the file. */
  pathOf(name: string, series?: AddedSeries): string
  [Symbol.asyncDispose](): Promise<void>
}

type BookContent = Buffer | Readonly<Record<string, Buffer>>

interface MoreOfBook extends Omit<BookOptions, 'fileName' | 'file'> {
  readonly series?: AddedSeries
  readonly isUnread?: boolean
}

export const fillShelf = async (server: TestServer): Promise<Shelf> => {
  const { db, decoders, config } = server.context
  const root = await mkdtemp(join(tmpdir(), 'carrel-shelf-'))
  const library = await addLibrary(db, { path: root })
  const series = await addSeries(db, library, { title: 'Blame' })
  const pathOf = (name: string, { title }: AddedSeries = series) => join(root, title, name)

  const read = async (path: string, isFolder: boolean): Promise<Analysis> => {
    const { size, mtimeMs } = await stat(path)
    const analyses: Analysis[] = []
    const files = [{ path, isFolder, size, modifiedUs: Math.round(mtimeMs * 1000) }]
    await decoders.run(
      'analyse',
      { files, cacheDir: join(config.dataDir, 'cache', 'unpacked') },
      {
        onPart: (parts) => {
          for (const part of parts) {
            if (!('analysis' in part)) throw new Error(`Not read: ${JSON.stringify(part)}`)
            analyses.push(part.analysis)
          }
        },
      },
    )
    const [analysis] = analyses
    if (!analysis) throw new Error('Nothing was read')
    return analysis
  }

  return {
    root,
    series,
    pathOf,
    addSeries: (options) => addSeries(db, library, options),
    addBook: async (name, content, { series: other = series, isUnread = false, ...more } = {}) => {
      const path = pathOf(name, other)
      const isFolder = !Buffer.isBuffer(content)
      await writeBook(path, content)
      const { size, mtimeMs } = await stat(path)
      const folder = `${other.title}/${name.slice(0, name.lastIndexOf('/') + 1)}`
      const fileName = name.slice(name.lastIndexOf('/') + 1)
      const fileRow = {
        folder,
        size,
        modified_us: Math.round(mtimeMs * 1000),
        is_folder: isFolder ? (1 as const) : (0 as const),
      }
      if (isUnread) {
        const file = { ...fileRow, analysis: 'pending' as const, file_hash: null, content_hash: null }
        const [id = ''] = await addBooks(db, other, [{ fileName, analysed: 0, size, ...more, file }])
        return id
      }
      const { format, pageCount, pageIndex, fingerprints } = await read(path, isFolder)
      const file = { ...fileRow, file_hash: fingerprints.file, content_hash: fingerprints.content }
      const [id = ''] = await addBooks(db, other, [{ fileName, format, page_count: pageCount, size, ...more, file }])
      await db.write((db) => savePages(db, [{ bookId: id, pages: pageIndex }]))
      return id
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

const writeBook = async (path: string, content: BookContent): Promise<void> => {
  if (Buffer.isBuffer(content)) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    return
  }
  for (const [name, bytes] of Object.entries(content)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), bytes)
  }
}
