import { readFileSync } from 'node:fs'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { childrenOf } from '../../../../test/smoke/program.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'

const paths = [
  'Image/Saga (2012)/Saga 001.cbz',
  'Image/Saga (2012)/Saga 002.cbz',
  'Image/Saga (2012)/Specials/Saga Sketchbook.cbz',
  'Naruto/Volume 1/001.cbz',
  'Naruto/Volume 2/009.cbz',
  'Jane Austen/Emma (12)/Emma - Jane Austen.cbz',
  'DC/Batman/2016/Batman 001.cbz',
  'Monstress 01.cbz',
  'Monstress 02.cbz',
  'Maus.cbz',
  '_oneshots/Here 1.cbz',
  '_oneshots/Here 2.cbz',
]

const configOf = (policy: api.Grouping['policy']): api.Grouping['config'] => {
  if (policy === 'publisher_folders') return { levels: ['publisher', 'series', 'volume'] }
  return policy === 'custom' ? { pattern: '^(?<publisher>[^/]+)/(?<series>[^/]+)/.*?(?<number>\\d+)\\.cbz$' } : {}
}

/** The books of each series, by their names. */
const seriesIn = async (server: TestServer, libraryId: string) => {
  const books = [...(await booksOf(server, libraryId)).values()]
  const grouped = [...Map.groupBy(books, ({ series_id }) => series_id).values()]
  return grouped
    .map((each) =>
      inWords(
        each[0]?.series_title ?? '',
        each.map(({ name }) => name),
      ),
    )
    .sort()
}

const inWords = (title: string, books: readonly string[]): string => `${title}: ${books.toSorted().join(', ')}`

test('C21 a preview shows for each policy what a scan makes, in one go or file by file', async () => {
  await using server = await startServer()
  const { call } = await server.person('admin')
  for (const policy of api.groupingPolicies) {
    await using complete = await libraryFolder()
    await using growing = await libraryFolder()
    const grouping = { policy, config: configOf(policy) }
    for (const [seed, path] of paths.entries()) await complete.write(path, comic({ seed: seed + 1, pages: 1 }))
    const { series } = bodyOf(await call(api.previewNewLibrary, { body: { roots: [complete.path], grouping } }))
    const libraryId = await addLibraryOn(server, { roots: [complete.path], ...grouping, name: policy })
    await scanNow(server, libraryId)

    const scanned = await seriesIn(server, libraryId)
    const previewed = series.map(({ name, sampleBooks }) => inWords(name, sampleBooks)).sort()
    expect([policy, previewed]).toEqual([policy, scanned])

    const otherId = await addLibraryOn(server, { roots: [growing.path], ...grouping, name: `${policy}, growing` })
    for (const part of [paths.slice(8), paths.slice(0, 4), paths.slice(4, 8)]) {
      for (const path of part) await growing.write(path, comic({ seed: 100 + paths.indexOf(path), pages: 1 }))
      await scanNow(server, otherId)
    }
    expect([policy, await seriesIn(server, otherId)]).toEqual([policy, scanned])
  }
})

test('C21 what a path says of a book is shown of it', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('Saga/Volume 3/Saga 013.cbz', comic({ seed: 1, pages: 1 }))
  await folder.write('Saga/Annuals/Saga 1.cbz', comic({ seed: 2, pages: 1 }))
  await folder.write('Area 51/Season 2/Area 51 07.cbz', comic({ seed: 3, pages: 1 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const pattern = '^(?<series>[^/]+)/(?<title>[^/]+)/.*?(?<volume>\\d)(?<number>\\d*)\\.cbz$'
  const byPattern = await addLibraryOn(server, {
    roots: [folder.path],
    policy: 'custom',
    config: { pattern },
    name: 'By pattern',
  })
  await scanNow(server, byPattern)

  const byFolder = await booksOf(server, libraryId)
  expect(byFolder.get('Saga/Volume 3/Saga 013.cbz')).toMatchObject({ volume: 3, number: 13, is_special: 0 })
  expect(byFolder.get('Saga/Annuals/Saga 1.cbz')).toMatchObject({ number: 1, is_special: 1 })
  expect(byFolder.get('Area 51/Season 2/Area 51 07.cbz')).toMatchObject({ series_title: 'Area 51', number: 7 })
  const books = await booksOf(server, byPattern)
  expect(books.get('Saga/Volume 3/Saga 013.cbz')).toMatchObject({ volume: 0, number: 13, title: 'Volume 3' })
})

test('C21 a preview that nobody waits for any more ends, and with it who groups', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('Saga/Saga 1.cbz', 'never opened')
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  const { accessToken } = await server.person('admin')
  const left = new AbortController()
  const response = fetch(`${server.url}/api/v1/libraries/${libraryId}/scan-preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    signal: left.signal,
  })
  const groupers = () =>
    childrenOf(process.pid).filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('grouper/main')
      } catch {
        return false
      }
    })
  await expect.poll(groupers, { interval: 2 }).toHaveLength(1)
  left.abort()
  await expect(response).rejects.toThrow('abort')
  await expect.poll(groupers).toEqual([])
  const { db } = server.context
  expect(await db.read.selectFrom('scan_preview').selectAll().execute()).toEqual([])
})
