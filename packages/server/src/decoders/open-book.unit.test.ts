import { rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { epub as epubBytes } from '../../test/books/epub.ts'
import { fictionBook } from '../../test/books/fb2.ts'
import { mobiFile } from '../../test/books/mobi.ts'
import { temporaryFolder } from '../../test/smoke/temporary-folder.ts'
import { epub } from '../formats/epub/epub.ts'
import { fb2 } from '../formats/fb2/fb2.ts'
import { mobi } from '../formats/mobi/mobi.ts'
import { contents, resource, searchText } from './contents.ts'

test('a book that is taken apart as a whole is so once, for all that is asked of it, until it is another', async () => {
  await using folder = await temporaryFolder()
  const at = async (name: string, bytes: string | Buffer) => {
    const path = join(folder.path, name)
    await writeFile(path, bytes)
    return { path, isFolder: false, cacheDir: join(folder.path, 'cache') }
  }
  const fiction = await at('one.fb2', fictionBook())
  const opened = vi.spyOn(fb2, 'open')
  const { flow } = await contents(fiction)
  const names = [...(flow?.spine ?? []), ...(flow?.resources ?? [])].map(({ href }) => href)
  const read = async () => {
    const all = []
    for (const name of names) all.push((await resource({ ...fiction, name })).resource)
    return all
  }
  const first = await read()
  expect(first).not.toContain(null)
  expect((await resource({ ...fiction, name: 'none' })).resource).toBeNull()
  expect(await read()).toEqual(first)
  const search = () => searchText({ ...fiction, query: 'короткое', hitsMax: 9 }, () => undefined)
  expect((await search()).hits).toHaveLength(0)
  expect(opened).toHaveBeenCalledTimes(1)

  // One file is replaced, and the same one is written to: as large as before, and a second later.
  await rename((await at('two.fb2', fictionBook({ long: 'короткое' }))).path, fiction.path)
  expect((await search()).hits).toHaveLength(1)
  await writeFile(fiction.path, fictionBook({ long: 'короткий' }))
  await utimes(fiction.path, 1000, 1000)
  expect((await search()).hits).toHaveLength(0)
  expect(opened).toHaveBeenCalledTimes(3)

  // One at a time is kept: another book takes its place. What is not taken apart stays as it was.
  const kindle = await at('three.mobi', mobiFile())
  const openedMobi = vi.spyOn(mobi, 'open')
  const openedEpub = vi.spyOn(epub, 'open')
  const novel = await at('four.epub', epubBytes())
  for (let time = 0; time < 2; time += 1) {
    await contents(kindle)
    await contents(kindle)
    await contents(novel)
  }
  await search()
  expect([openedMobi, openedEpub, opened].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 4])
})
