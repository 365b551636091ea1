import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { setUpCatalogue } from '../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../test/plugins/with-plugins.ts'
import { addLibraryOn, scanNow } from '../../../test/scanning.ts'
import { workOn } from '../../../test/work.ts'
import { autoMatch } from './jobs/auto-match.ts'

const house = await startHousehold()
afterAll(() => house[Symbol.asyncDispose]())
const { db } = house.server.context
const editor = await house.server.person('editor')

const numbers = [1, 2] as const
const comicInfo = (isbn: string) => `<ComicInfo><GTIN>${isbn}</GTIN></ComicInfo>`

test('C11 PLG-1 what a real scan finds is matched after it, what it knew is not asked about again, and nothing where that is off', async () => {
  const plugin = await setUpCatalogue(house, {
    entries: [
      { externalId: '1', title: 'Akira', publisher: 'Kodansha', genres: ['Drama'] },
      { externalId: '2', title: 'Monster', publisher: 'Shogakukan' },
      { externalId: 'book', title: 'Akira, the first', subtitle: 'Tetsuo', isbns: ['9784061037113'] },
    ],
  })
  await using folder = await libraryFolder()
  for (const number of numbers)
    await folder.write(
      `Akira/Akira v0${number}.cbz`,
      comic({ seed: number, ...(number === 1 && { comicInfo: comicInfo('9784061037113') }) }),
    )
  const libraryId = await addLibraryOn(house.server, { roots: [folder.path] })
  const tasks = () =>
    db.read
      .selectFrom('task')
      .selectAll()
      .where('type', '=', autoMatch.type)
      .where('library_id', '=', libraryId)
      .orderBy('id')
      .execute()
  /** What a scan has led to. */
  const matched = async (): Promise<unknown> => {
    await using _ = workOn(house.server, [autoMatch])
    await expect.poll(async () => (await tasks()).every(({ status }) => status === 'completed')).toBe(true)
    const { matched, nothing, uncertain } = JSON.parse((await tasks()).at(-1)?.result ?? '{}') as Record<string, number>
    return { matched, nothing, uncertain }
  }
  const seriesOf = async (name: string) => {
    const { id } = await db.read
      .selectFrom('series')
      .select('id')
      .where('name', '=', name)
      .where('library_id', '=', libraryId)
      .executeTakeFirstOrThrow()
    return bodyOf(await editor.call(api.readSeriesMetadata, { params: { id } }))
  }

  await scanNow(house.server, libraryId)
  expect(await tasks()).toEqual([])
  expect(await seriesOf('Akira')).toMatchObject({ publisher: null })

  const params = { key: 'plugins.post_scan_auto_match_enabled' }
  bodyOf(await house.admin.call(api.saveSetting, { params, body: { value: true } }))
  await folder.write('Berserk/Berserk v01.cbz', comic({ seed: 3 }))
  await scanNow(house.server, libraryId)
  // Two series and three books: one of each is known.
  expect(await matched()).toEqual({ matched: 2, nothing: 3, uncertain: 0 })
  expect(await seriesOf('Akira')).toMatchObject({ publisher: 'Kodansha', genres: ['Drama'] })
  const subtitles = await db.read.selectFrom('book').select('metadata').where('library_id', '=', libraryId).execute()
  expect(subtitles.filter(({ metadata }) => metadata.includes('Tetsuo'))).toHaveLength(1)

  await folder.write('Monster/Monster v01.cbz', comic({ seed: 4 }))
  await scanNow(house.server, libraryId)
  expect(await matched()).toEqual({ matched: 1, nothing: 1, uncertain: 0 })
  expect(await seriesOf('Monster')).toMatchObject({ publisher: 'Shogakukan' })
  expect(await tasks()).toHaveLength(2)
  expect(plugin.enabled).toBe(true)
})
