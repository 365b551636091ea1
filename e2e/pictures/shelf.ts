import * as api from '@carrel/api'
import type { Browser } from 'playwright-core'
import { epub } from '../../packages/server/test/books/epub.ts'
import { comicInfoXml } from '../../packages/server/test/books/metadata.ts'
import { zip } from '../../packages/server/test/books/zip.ts'
import type { LibraryFolder } from '../../packages/server/test/library-folder.ts'
import { bodyOf } from '../../packages/server/test/outcome.ts'
import type { App } from '../app.ts'
import { scannedLibrary } from '../app.ts'
import { clothOf, coverOf, pageOf } from './covers.ts'
import { draw } from './draw.ts'
import { chaptersOf } from './prose.ts'
import { readForAYear } from './reading.ts'
import { range } from './scenery.ts'
import { type Work, works } from './works.ts'

const pagesDrawn = 12
const pagesOfBook = 24

/** One library for each kind, as people have them. */
const libraryOf = { manga: 'Manga', comic: 'Comics', novel: 'Novels' } as const satisfies Record<Work['kind'], string>

/** All works as files, in a folder for each library. */
export const writeWorks = async (browser: Browser, folder: LibraryFolder): Promise<void> => {
  for (const work of works) await (work.kind === 'novel' ? writeNovel : writeVolumes)(browser, folder, work)
}

const writeNovel = async (browser: Browser, folder: LibraryFolder, work: Work): Promise<void> => {
  const [cover = Buffer.alloc(0)] = await draw(browser, [clothOf(work)])
  const bytes = epub({
    title: work.title,
    author: work.author,
    identifier: `urn:pictures:${work.title}`,
    chapters: chaptersOf(work),
    metadata: `<dc:date>${work.year}</dc:date>`,
    members: [{ name: 'OEBPS/images/cover.jpg', bytes: cover, method: 'stored' }],
  })
  await folder.write(`Novels/${work.title}.epub`, bytes)
}

const writeVolumes = async (browser: Browser, folder: LibraryFolder, work: Work): Promise<void> => {
  const pages = await draw(
    browser,
    range(pagesDrawn).map((page) => pageOf(work, page)),
  )
  const volumes = range(work.volumes)
    .map((index) => index + 1)
    .filter((volume) => !work.without?.includes(volume))
  const covers = await draw(
    browser,
    volumes.map((volume) => coverOf(work, work.volumes > 1 ? volume : 0)),
  )
  for (const [index, volume] of volumes.entries()) {
    const inside = range(pagesOfBook - 1).map((page) => pages[(page + volume * 5) % pagesDrawn])
    const members = [covers[index], ...inside].flatMap((bytes, page) =>
      bytes ? [{ name: `${String(page + 1).padStart(3, '0')}.jpg`, bytes, method: 'stored' as const }] : [],
    )
    const info = comicInfoXml({
      Series: work.title,
      Number: volume,
      Writer: work.author,
      Penciller: work.author,
      Year: (work.year ?? 2015) + Math.floor(volume / 3),
      Month: 1 + ((volume * 4) % 12),
      Count: work.volumes,
      ...(work.publisher && { Publisher: work.publisher }),
      ...(work.genres && { Genre: work.genres }),
      ...(work.summary && volume === 1 && { Summary: work.summary }),
      ...(work.kind === 'manga' && { Manga: 'YesAndRightToLeft' }),
    })
    await folder.write(
      `${libraryOf[work.kind]}/${work.title}/${work.title} ${String(volume).padStart(2, '0')}.cbz`,
      zip([...members, { name: 'ComicInfo.xml', bytes: Buffer.from(info), method: 'stored' }]),
    )
  }
}

/** What the pictures are of. */
export interface ShelfIds {
  readonly library: string
  readonly series: string
  readonly comicSeries: string
  readonly comic: string
  readonly manga: string
  readonly novel: string
  readonly collection: string
  readonly readList: string
  readonly person: string
}

/** The libraries are scanned, and somebody has read in them. */
export const fillShelf = async ({ admin, folder }: App): Promise<ShelfIds> => {
  const libraries = new Map<string, string>()
  for (const name of Object.values(libraryOf)) libraries.set(name, await scannedLibrary(admin, folder.in(name), name))
  const { data: books } = bodyOf(await admin.call(api.listBooks, { query: { pageSize: 200 } }))
  const { data: series } = bodyOf(await admin.call(api.listSeries, { query: { pageSize: 100 } }))
  const seriesOf = (title: string): string => series.find((each) => each.title === title)?.id ?? ''
  const volumesOf = (title: string) =>
    books
      .filter(({ seriesId }) => seriesId === seriesOf(title))
      .toSorted((one, other) => Number(one.number) - Number(other.number))
      .map(({ id }) => id)
  const read = async (title: string, volumeCount: number, page = 0): Promise<void> => {
    const ids = volumesOf(title)
    for (const id of ids.slice(0, volumeCount)) await admin.call(api.markBookRead, { params: { id } })
    const open = ids[volumeCount]
    if (page > 0 && open) await admin.call(api.saveProgress, { params: { id: open }, body: { currentPage: page } })
  }
  await readForAYear(admin, volumesOf)
  await read('Captain Meridian', 2, 9)
  await read('Iron Harbor', 4)
  await read('Orbit & Ash', 3, 4)
  await read('Elevator to the Clouds', 0, 17)
  await read('Tea House at the End of the World', 4, 6)
  await read('The Lantern Keeper', 2, 14)
  await read('Night Parade Detectives', 5, 11)
  const novel = books.find(({ title }) => title === 'Dracula')?.id ?? ''
  const collection = bodyOf(await admin.call(api.createCollection, { body: { name: 'Rainy days' } }))
  const rainy = [
    'Iron Harbor',
    'Moonlit Library',
    'Tea House at the End of the World',
    'Les Cartographes',
    'Das Haus am Fluss',
  ]
  const seriesIds = rainy.map(seriesOf)
  await admin.call(api.addToCollection, { params: { id: collection.id }, body: { seriesIds } })
  const readList = bodyOf(await admin.call(api.createReadList, { body: { name: 'The meridian war, in order' } }))
  const bookIds = [...volumesOf('Captain Meridian').slice(0, 4), ...volumesOf('Orbit & Ash').slice(0, 3)]
  await admin.call(api.addToReadList, { params: { id: readList.id }, body: { bookIds } })
  return {
    library: libraries.get('Manga') ?? '',
    series: seriesOf('The Lantern Keeper'),
    comicSeries: seriesOf('Captain Meridian'),
    comic: volumesOf('Captain Meridian')[2] ?? '',
    manga: volumesOf('The Lantern Keeper')[2] ?? '',
    novel,
    collection: collection.id,
    readList: readList.id,
    person: '',
  }
}
