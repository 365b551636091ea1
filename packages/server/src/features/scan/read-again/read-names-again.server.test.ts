import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { epub } from '../../../../test/books/epub.ts'
import { opfXml } from '../../../../test/books/metadata.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow, scanTasks } from '../../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { refresh } from '../../../catalogue/shown/shown.ts'
import { readNamesAgain } from './read-names-again.ts'

const creators = (...names: readonly string[]): string =>
  names.map((name) => `<dc:creator>${name}</dc:creator>`).join('')

/** An older server has read them so: divided at `&`. */
const divide = async ({ context: { db, clock } }: TestServer, ids: readonly string[]): Promise<void> => {
  const at = '2020-01-01T00:00:00.000Z'
  await db.write(async (db) => {
    const layers = await db.selectFrom('metadata_layer').selectAll().where('entity_id', 'in', ids).execute()
    for (const { entity_id, source, fields } of layers) {
      const written = fields.replace(
        /\{"name":"Ñandú & Söhne"[^}]*\}/g,
        '{"name":"Ñandú","role":"author","sortName":null},{"name":"Söhne","role":"author","sortName":null}',
      )
      await db
        .updateTable('metadata_layer')
        .set({ fields: written, at })
        .where('entity_id', '=', entity_id)
        .where('source', '=', source)
        .execute()
    }
    await refresh(db, { books: ids, isEdit: true }, clock())
  })
}

test('D5 whoever was taken for several is one again after an upgrade, and only such books are read again', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/one.epub', epub({ metadata: creators('Ñandú &amp; Söhne') }))
  await folder.write('B/two.cbz', comic({ seed: 1 }))
  await folder.write('B/metadata.opf', opfXml('2.0', `<dc:title>Two</dc:title>${creators('Ñandú &amp; Söhne')}`))
  await folder.write('C/three.epub', epub({ title: 'Three' }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path], policy: 'volume_folders' })
  await scanNow(server, libraryId)
  const reader = await server.person('reader')
  const books = await booksOf(server, libraryId)
  const idOf = (path: string): string => books.get(path)?.id ?? ''
  const [one, two, three] = [idOf('A/one.epub'), idOf('B/two.cbz'), idOf('C/three.epub')]
  const peopleOf = async (id: string): Promise<string[]> =>
    bodyOf(await reader.call(api.readBook, { params: { id } })).metadata.authors.map(({ name }) => name)
  const { db, clock } = server.context
  const analysed = async () =>
    (await db.read.selectFrom('metadata_layer').select('at').where('entity_id', '=', three).execute()).map(
      ({ at }) => at,
    )
  await divide(server, [one, two, three])
  expect([await peopleOf(one), await peopleOf(two)]).toEqual([
    expect.arrayContaining(['Ñandú', 'Söhne']),
    ['Ñandú', 'Söhne'],
  ])
  const before = await analysed()

  await using _ = workOn(server, [readNamesAgain, ...scanTasks], { settleMs: 20 })
  await db.write((db) => enqueue(db, readNamesAgain, { before: clock().toISOString() }, { now: clock() }))

  await expect.poll(() => peopleOf(one)).toEqual(expect.arrayContaining(['Ñandú & Söhne']))
  await expect.poll(() => peopleOf(two)).toEqual(['Ñandú & Söhne'])
  expect(await analysed()).toEqual(before)
})
