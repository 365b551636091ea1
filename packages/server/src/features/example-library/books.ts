import { storedZip } from '../files/files.ts'
import { drawCover, drawPage, type Land, type Palette } from './drawings.ts'
import { chapters, ebookFiles, type TextFile } from './ebook.ts'

export interface BookToMake {
  /** Below the folder of the library. */
  readonly path: string
  /** Its pages, the cover first; of an ebook the cover alone. */
  readonly drawings: () => readonly string[]
  /** What else is in the file. */
  readonly files: readonly TextFile[]
  readonly pictureName: (index: number) => string
}

interface Story {
  readonly title: string
  readonly author: string
  readonly genre: string
  readonly year: number
  readonly summary: string
  readonly land: Land
  readonly palettes: readonly Palette[]
  readonly isFromTheRight?: true
}

const dusk: Palette = {
  sky: ['#1b2447', '#7f5a83'],
  light: '#ffd98a',
  far: '#3d3a68',
  near: '#17162e',
  figure: '#0d0c1c',
}
const dawn: Palette = {
  sky: ['#f6b98f', '#fbe3c0'],
  light: '#fff6df',
  far: '#c8705a',
  near: '#6d3440',
  figure: '#351a26',
}
const sea: Palette = {
  sky: ['#8fd0dc', '#e3f3ea'],
  light: '#fff8d8',
  far: '#2f7f93',
  near: '#174a5a',
  figure: '#0e2c38',
}
const storm: Palette = {
  sky: ['#28414e', '#7f9b9c'],
  light: '#e8efe2',
  far: '#2b5c6a',
  near: '#122c36',
  figure: '#0a1a22',
}
const woods: Palette = {
  sky: ['#d9e8b8', '#f7f4d9'],
  light: '#fffbe0',
  far: '#6d9b62',
  near: '#2f5a3d',
  figure: '#1b2f22',
}
const autumn: Palette = {
  sky: ['#f2c879', '#fbeccb'],
  light: '#fff7dc',
  far: '#cf7f3b',
  near: '#7a3d22',
  figure: '#3a1c12',
}

const stories: readonly Story[] = [
  {
    title: 'The Late Ferry',
    author: 'Ines Maro',
    genre: 'Adventure',
    year: 2024,
    summary: 'Every evening a ferry leaves from a harbour that is on no map. One night somebody stays on board.',
    land: 'sea',
    palettes: [sea, storm],
  },
  {
    title: 'Lamps of Hollow Street',
    author: 'Tomas Lind',
    genre: 'Mystery',
    year: 2023,
    summary: 'Somebody puts out the lamps of Hollow Street, one each night, and leaves a drawing in its place.',
    land: 'town',
    palettes: [dusk, dawn],
    isFromTheRight: true,
  },
  {
    title: 'A Walk Behind the Hill',
    author: 'Mei Arata',
    genre: 'Slice of life',
    year: 2025,
    summary: 'Nothing happens behind the hill, and it takes a whole summer to see all of it.',
    land: 'hills',
    palettes: [woods, autumn],
  },
]

const pagesOfVolume = 6

const volumesOf = (story: Story, position: number): BookToMake[] =>
  story.palettes.map((palette, index) => {
    const seed = position * 100 + index * 20 + 1
    const pages = () => Array.from({ length: pagesOfVolume }, (_, page) => drawPage(story.land, palette, seed + page))
    return {
      path: `${story.title}/${story.title} v${index + 1}.cbz`,
      drawings: () => [drawCover(story.land, palette, seed), ...pages()],
      files: [{ name: 'ComicInfo.xml', text: comicInfoOf(story, index + 1) }],
      pictureName: (page) => `${String(page + 1).padStart(3, '0')}.jpg`,
    }
  })

const comicInfoOf = ({ title, author, genre, year, summary, isFromTheRight }: Story, volume: number): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<ComicInfo><Series>${title}</Series><Number>${volume}</Number><Volume>${volume}</Volume><Writer>${author}</Writer><Genre>${genre}</Genre><Year>${year}</Year><Summary>${summary}</Summary><LanguageISO>en</LanguageISO>${isFromTheRight ? '<Manga>YesAndRightToLeft</Manga>' : ''}</ComicInfo>
`

const ebook: BookToMake = {
  path: 'The Reading Room.epub',
  drawings: () => [drawCover('town', autumn, 77)],
  files: ebookFiles({ title: 'The Reading Room', author: 'Nell Okafor', chapters }),
  pictureName: () => 'OEBPS/cover.jpg',
}

export const booksToMake: readonly BookToMake[] = [...stories.flatMap(volumesOf), ebook]

/** An archive in which nothing is packed: pictures are already, and the first file of an ebook must not be. */
export const fileOf = async ({ files, pictureName }: BookToMake, pictures: readonly Buffer[]): Promise<Buffer> => {
  const members = [
    ...files.map(({ name, text }) => ({ name, bytes: Buffer.from(text) })),
    ...pictures.map((bytes, index) => ({ name: pictureName(index), bytes })),
  ]
  const items = members.map(({ name, bytes }) => ({
    name,
    size: bytes.length,
    modifiedAt: new Date('2026-01-01T00:00:00.000Z'),
    async *open() {
      yield bytes
    },
  }))
  const parts: Buffer[] = []
  for await (const part of storedZip(items)) parts.push(part)
  return Buffer.concat(parts)
}
