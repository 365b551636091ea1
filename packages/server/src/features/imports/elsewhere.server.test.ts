import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { type Household, importing, startHousehold, unpackCalibre } from '../../../test/stores.ts'
import { changedStore, storePath } from '../../../test/stores/read.ts'

let home: Household
beforeAll(async () => {
  home = await startHousehold()
})
afterAll(() => home[Symbol.asyncDispose]())

interface Elsewhere {
  readonly externalIds: readonly { readonly source: string; readonly id: string }[]
  readonly externalLinks: readonly { readonly url: string }[]
}

/** What other services call a series or a book, and where they tell of it. */
const elsewhere = ({ externalIds, externalLinks }: Elsewhere) => ({
  ids: externalIds.map(({ source, id }) => `${source} ${id}`),
  links: externalLinks.map(({ url }) => url),
})

const idOfLantern = async (): Promise<string> => {
  const { seriesId } = bodyOf(await home.admin.call(api.readBook, { params: { id: home.bookAt('(2019) #001') } }))
  return seriesId ?? ''
}

const lantern = async () =>
  elsewhere(bodyOf(await home.admin.call(api.readSeriesMetadata, { params: { id: await idOfLantern() } })))

const ofBook = async (path: string) =>
  elsewhere(bodyOf(await home.admin.call(api.readBookMetadata, { params: { id: home.bookAt(path) } })))

/** With ids as Kavita+ and a person put them there; one of them is said by a link too. */
const kavita = () => ({
  kind: 'kavita' as const,
  source: {
    path: changedStore(
      storePath('kavita', 'kavita.db'),
      `update Series set AniListId = 30000, MalId = 40000 where Name = 'The Lantern Coast';
       update SeriesMetadata set WebLinks = 'https://press.example/lantern,https://anilist.co/manga/30001'
         where SeriesId = (select Id from Series where Name = 'The Lantern Coast');
       update Chapter set ComicVineId = '99' where Id = (select c.Id from Chapter c join Volume v on v.Id = c.VolumeId
         join Series s on s.Id = v.SeriesId where s.Name = 'Iron Garden' order by c.SortOrder limit 1)`,
    ),
  },
})
const calibre = async () => ({ kind: 'calibre' as const, source: { path: await unpackCalibre(home.folder) } })
const mihon = () => ({
  kind: 'mihon' as const,
  source: { path: storePath('mihon', 'app.mihon_2026-08-01_12-00.tachibk') },
})

test.each([
  [
    'kavita',
    kavita,
    lantern,
    {
      ids: ['anilist 30001', 'myanimelist 40000'],
      links: ['https://anilist.co/manga/30001', 'https://press.example/lantern'],
    },
  ],
  ['kavita', kavita, () => ofBook('Iron Garden 001'), { ids: ['comicvine 99'], links: [] }],
  ['mihon', mihon, lantern, { ids: ['anilist 30000'], links: [] }],
  ['calibre', calibre, () => ofBook('Paper Moons'), { ids: ['amazon B00TEST1'], links: [] }],
  [
    'calibre',
    calibre,
    () => ofBook('Cycle 1 - Ebb'),
    { ids: [], links: ['https://press.example/c205c7bc-7ad0-4959-a60b-eda107307286'] },
  ],
] as const)(
  'C25 what other services call things comes from %s, once, and is taken back',
  async (_, store, of, told) => {
    const { read, apply, undo } = importing(home.server, home.admin)
    const before = await of()
    const { id, wouldCreate } = await read(await store())
    const { taken } = await apply(id)
    const counted = ({ metadataOfSeries = 0, metadataOfBooks = 0 }: Readonly<Record<string, number>>) =>
      metadataOfSeries + metadataOfBooks
    expect(await of()).toEqual(told)
    expect(counted(wouldCreate)).toBe(counted(taken))
    expect(counted((await read(await store())).wouldCreate)).toBe(0)
    await undo(id)
    expect(await of()).toEqual(before)
  },
)

test('C25 ids and links that somebody has said here stay as they are', async () => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const params = { id: await idOfLantern() }
  const said = {
    externalIds: [{ source: 'anilist', id: '7' }],
    externalLinks: [{ source: 'mine', url: 'https://mine.example/' }],
  }
  bodyOf(await home.admin.call(api.editSeriesMetadata, { params, body: said }))
  const { id } = await read(kavita())
  const { taken } = await apply(id)
  expect(taken['metadataSaidHere']).toBeGreaterThanOrEqual(2)
  expect(await lantern()).toEqual({ ids: ['anilist 7'], links: ['https://mine.example/'] })
  await undo(id)
  expect(await lantern()).toEqual({ ids: ['anilist 7'], links: ['https://mine.example/'] })
})
