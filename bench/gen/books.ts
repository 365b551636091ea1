import { comicInfoXml, seriesJson } from '../../packages/server/test/books/metadata.ts'
import { pdfFile } from '../../packages/server/test/books/pdf.ts'
import { jpeg, randomFrom, tinyJpeg } from '../../packages/server/test/books/pictures.ts'
import { zip } from '../../packages/server/test/books/zip.ts'
import type { PlannedBook, PlannedSeries } from './plan.ts'
import type { Profile } from './profiles.ts'
import { pick, sentence, title } from './words.ts'

/** It makes the bytes of planned books. */
export interface BookMaker {
  bytesOf(book: PlannedBook): Buffer
}

const poolSize = { tiny: 256, large: 24 }
const large = { width: 2000, height: 3000, detail: 10 }

export const bookMaker = ({ pictures: kind }: Pick<Profile, 'pictures'>): BookMaker => {
  const pool = Array.from({ length: poolSize[kind] }, (_, seed) =>
    kind === 'tiny' ? tinyJpeg(seed) : jpeg({ ...large, seed }),
  )
  return {
    bytesOf: (book) => {
      if (book.oddity === 'empty') return Buffer.alloc(0)
      const random = randomFrom(book.seed)
      const pictures = Array.from({ length: book.pages }, (_, page) =>
        ofItsOwn(pick(pool, random), `${book.seed} ${page + 1}`),
      )
      return book.format === 'pdf' ? pdfOf(pictures, book) : cbzOf(pictures, book)
    },
  }
}

/** The same picture with a comment no other has: no two pages of a library are the same. */
const ofItsOwn = (picture: Buffer, comment: string): Buffer => {
  const text = Buffer.from(comment, 'latin1')
  const head = Buffer.from([0xff, 0xfe, 0, 0])
  head.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([picture.subarray(0, 2), head, text, picture.subarray(2)])
}

const cbzOf = (pictures: readonly Buffer[], book: PlannedBook): Buffer => {
  const { packing: method, oddity } = book
  const isZip64 = oddity === 'zip64'
  const bytes = zip(
    [
      ...pictures.map((bytes, index) => ({ name: pageName(index, book), bytes, method, isZip64 })),
      ...(book.hasComicInfo
        ? [{ name: 'ComicInfo.xml', bytes: Buffer.from(comicInfo(book)), method: 'deflated' as const }]
        : []),
    ],
    { isZip64 },
  )
  return oddity === 'cut' ? bytes.subarray(0, Math.floor(bytes.length * 0.6)) : bytes
}

const pageName = (index: number, { oddity, series }: PlannedBook): string | Buffer => {
  const number = String(index + 1).padStart(3, '0')
  // Shift JIS, as archives of another time have it.
  return oddity === 'foreign names'
    ? Buffer.from(`\u0083y\u0081[\u0083W${number}.jpg`, 'latin1')
    : `${series} - p${number}.jpg`
}

const pdfOf = (pictures: readonly Buffer[], book: PlannedBook): Buffer =>
  pdfFile({
    pages: pictures.map((bytes) => ({ jpeg: { bytes, width: 200, height: 300 }, mediaBox: [0, 0, 200, 300] })),
    info: { Title: `${book.series} ${book.number}`, Author: title(randomFrom(book.seed)) },
  })

const genres = ['Action', 'Adventure', 'Comedy', 'Crime', 'Drama', 'Fantasy', 'History', 'Horror', 'Mystery', 'Romance']
const publishers = ['Picture House', 'Lantern Press', 'North Quay', 'Ninth Street Books']

const comicInfo = ({ seed, series, number, year, pages }: PlannedBook): string => {
  const random = randomFrom(seed)
  return comicInfoXml(
    {
      Title: title(random),
      Series: series,
      Number: number,
      Summary: sentence(40, random),
      Year: year,
      Month: 1 + Math.floor(random() * 12),
      Writer: `${title(random)}, ${title(random)}`,
      Penciller: title(random),
      Publisher: pick(publishers, random),
      Genre: `${pick(genres, random)}, ${pick(genres, random)}`,
      PageCount: pages,
      LanguageISO: 'en',
    },
    Array.from({ length: pages }, (_, image) => ({ image })),
  )
}

export const seriesJsonOf = ({ name, year, books }: PlannedSeries): Buffer =>
  Buffer.from(seriesJson({ name, year, total_issues: books.length, description_text: `Of ${name}.` }))
