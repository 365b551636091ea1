import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { epub } from '../../../../test/books/epub.ts'
import { fictionBook } from '../../../../test/books/fb2.ts'
import { pdfFile } from '../../../../test/books/pdf.ts'
import { type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, scanNow } from '../../../../test/scanning.ts'
import { type Person, startServer } from '../../../../test/start-server.ts'

/** No two files are the same, so that none is taken for a copy of another. */
let made = 0
const writers = {
  epub: () => epub({ title: 'Book', identifier: `urn:walk:${(made += 1)}` }),
  pdf: () => pdfFile({ pages: [{ text: [`Page ${(made += 1)}`] }] }),
  fb2: () => fictionBook({ long: `Text ${(made += 1)}` }),
}
const formats = ['epub', 'pdf', 'fb2'] as const
const folders = ['A', 'B'] as const
const paths = folders.flatMap((folder) => ['One', 'Two', 'Three'].map((stem) => `${folder}/${stem}`))

/** `at` picks a file of those that are there, in the order of their paths. */
type Change =
  | { readonly what: 'write'; readonly to: string; readonly format: (typeof formats)[number] }
  | { readonly what: 'remove'; readonly at: number }
  | { readonly what: 'rename' | 'rename all formats'; readonly at: number; readonly to: string }
  | { readonly what: 'exchange'; readonly at: number; readonly other: number }

const to = fc.constantFrom(...paths)
const at = fc.nat(20)
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('write'), to, format: fc.constantFrom(...formats) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('remove'), at }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('rename', 'rename all formats'), at, to }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('exchange'), at, other: at }) },
)
/** What is done between two scans. */
const walks = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 8 })

const write = (path: string, format: 'epub' | 'fb2'): Change => ({ what: 'write', to: path, format })
/** These went wrong once. */
const examples: [Change[][]][] = [
  [[[write('A/One', 'fb2')], [{ what: 'remove', at: 0 }, write('A/One', 'epub')]]],
  [
    [
      [write('A/Three', 'epub'), write('B/One', 'epub'), write('B/One', 'fb2')],
      [{ what: 'remove', at: 2 }],
      [write('A/Three', 'fb2'), { what: 'rename all formats', at: 0, to: 'B/One' }],
    ],
  ],
  [
    [
      [write('A/One', 'fb2')],
      [write('A/One', 'epub')],
      [{ what: 'rename', at: 1, to: 'B/One' }],
      [{ what: 'remove', at: 0 }],
    ],
  ],
]

const filesIn = async (folder: LibraryFolder): Promise<string[]> => {
  const names = await Promise.all(folders.map((name) => readdir(folder.in(name))))
  return names.flatMap((each, index) => each.map((name) => `${folders[index]}/${name}`)).sort()
}

const partsOf = (path: string): readonly [place: string, format: string] => {
  const dot = path.lastIndexOf('.')
  return [path.slice(0, dot), path.slice(dot + 1)]
}

const doChange = async (folder: LibraryFolder, each: Change): Promise<void> => {
  if (each.what === 'write') return folder.write(`${each.to}.${each.format}`, writers[each.format]())
  const files = await filesIn(folder)
  const file = files[each.at % files.length]
  if (file === undefined) return
  const [path, format] = partsOf(file)
  const move = (from: string, target: string): Promise<void> => rename(folder.in(from), folder.in(target))
  if (each.what === 'remove') return rm(folder.in(file))
  if (each.what === 'exchange') {
    const alike = files.filter((other) => partsOf(other)[1] === format)
    const other = alike[each.other % alike.length] ?? file
    await move(file, 'between')
    if (other !== file) await move(other, file)
    return move('between', other)
  }
  const moved = each.what === 'rename' ? [file] : files.filter((other) => partsOf(other)[0] === path)
  for (const other of moved) await move(other, `${each.to}.${partsOf(other)[1]}`)
}

const inWords = (books: ReadonlyMap<string, readonly string[]>): string[] =>
  [...books].map(([path, each]) => `${path}: ${each.toSorted().join(' ')}`).sort()

/** Formats by what should be one book. */
const onDisk = async (folder: LibraryFolder): Promise<string[]> => {
  const books = Map.groupBy((await filesIn(folder)).map(partsOf), ([path]) => path)
  return inWords(new Map([...books].map(([path, files]) => [path, files.map(([, format]) => format)])))
}

/** Formats of the books that are listed, by where the chosen file lies. */
const listed = async (admin: Person, folder: LibraryFolder, libraryId: string): Promise<string[]> => {
  const { data } = bodyOf(await admin.call(api.listBooksOfLibrary, { params: { id: libraryId } }))
  const books = await Promise.all(
    data.map(async ({ id }) => bodyOf(await admin.call(api.readBook, { params: { id } }))),
  )
  return inWords(
    new Map(
      books.map(({ path = '', files }) => [
        partsOf(path.slice(folder.path.length + 1))[0],
        files.map(({ format }) => format),
      ]),
    ),
  )
}

test('C21 C11 whatever becomes of files, those that lie beside each other are one book, and all others are not', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  bodyOf(await admin.call(api.saveSetting, { params: { key: 'scan.auto_confirm' }, body: { value: true } }))
  await fc.assert(
    fc.asyncProperty(walks, async (walked) => {
      await using folder = await libraryFolder()
      for (const name of folders) await mkdir(folder.in(name))
      const libraryId = await addLibraryOn(server, { roots: [folder.path], name: folder.path })
      for (const changes of walked) {
        for (const each of changes) await doChange(folder, each)
        await scanNow(server, libraryId)
        expect(await listed(admin, folder, libraryId)).toEqual(await onDisk(folder))
      }
      expect(await scanNow(server, libraryId)).toMatchObject({ books_added: 0, books_missing: 0, books_moved: 0 })
      expect(await listed(admin, folder, libraryId)).toEqual(await onDisk(folder))
    }),
    {
      examples,
      numRuns: examples.length + Number(process.env['WALKS'] ?? 1),
      endOnFailure: true,
    },
  )
})
