import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { startServer } from '../../../test/start-server.ts'
import { selectStoredFiles, selectStoredFolders } from './queries.ts'
import { figuresOf, storedFilesIn } from './walker/stored-text.ts'
import type { StoredFolder } from './walker/messages.ts'

const names = ['b', 'B', 'a b', '10', '2', 'ä', '漢', '\uFF21', '\u{1F600}', '\uFFFDE9', "o'clock", '100%']
const folders = ['', 'A/', 'A/B/', 'A/B/C/', 'A B/', 'a/', 'ä/', '漢/', '\uFF21/', '\u{1F600}/']

test('LIB-6 the database tells what it knows of each folder just as the walker writes what it finds there', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const series = await addSeries(db, library, {})
  let inode = 2 ** 52
  await addBooks(
    db,
    series,
    folders.flatMap((folder) =>
      names.map((name) => {
        inode += 1
        const file = { folder, size: inode - 2 ** 52, modified_us: 1_795_000_000_000_001 + inode - 2 ** 52, inode }
        return { fileName: `${name}.cbz`, file }
      }),
    ),
  )
  const { rootId } = library
  for (const below of ['', 'A/', 'A/B/', 'nowhere/']) {
    const rows = await selectStoredFiles(db.readSlowly, { rootId, below }, undefined, 1000)
    const told: StoredFolder[] = []
    for (let isLast = false; !isLast;) {
      const part = await selectStoredFolders(db.readSlowly, { rootId, below, of: 'files' }, told.at(-1)?.[0], 30)
      told.push(...part.folders)
      isLast = part.isLast
    }

    expect(told.flatMap(storedFilesIn)).toEqual(rows)
    const inOrder = [...Map.groupBy(rows, ([, folder]) => folder)]
    expect(told.map(([folder, count, figures]) => [folder, count, figures])).toEqual(
      inOrder.map(([folder, each]) => [folder, each.length, each.map(([, ...walked]) => figuresOf(walked)).join('/')]),
    )
  }
  const everything = await selectStoredFiles(db.readSlowly, { rootId, below: '' }, undefined, 1000)
  expect(everything).toHaveLength(folders.length * names.length)
})
