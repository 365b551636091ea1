import { createCipherKey, type Encrypt, type PdfEncryption } from './pdf-encryption.ts'

/**
 * It writes PDFs for tests and benchmarks, the same bytes each time: books as they should be; `hostile-pdf.ts` has the
 * others.
 */

export interface PdfRecipe {
  readonly pages: readonly PdfPage[]
  readonly info?: Readonly<Record<string, string>>
  readonly outline?: readonly PdfBookmark[]
  readonly labels?: readonly PdfLabels[]
  /** These entries are added to the catalog, such as `/OpenAction 9 0 R`. */
  readonly catalog?: string
  /** These objects are added, numbered by `firstExtraObject`. */
  readonly extraObjects?: readonly (string | Buffer)[]
  readonly encryption?: PdfEncryption
}

interface PdfPage {
  /** `[left, bottom, right, top]` in points; A4 when there is none. */
  readonly mediaBox?: readonly [number, number, number, number]
  readonly cropBox?: readonly [number, number, number, number]
  /** Clockwise. */
  readonly rotate?: 0 | 90 | 180 | 270
  /** It fills the page. */
  readonly jpeg?: Jpeg
  /** A line each, in Helvetica when it has the letters and otherwise in a font that is only named. */
  readonly text?: readonly string[]
  /** It is drawn first, in the language of PDF pages. */
  readonly drawing?: string
  /** These entries are added to the page, such as `/Annots [9 0 R]`. */
  readonly entries?: string
}

export interface Jpeg {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

interface PdfBookmark {
  readonly title: string
  /** Pages are counted from 1; a heading without one leads nowhere. */
  readonly page?: number
  /** It says so by an action instead of a destination. */
  readonly byAction?: boolean
  readonly children?: readonly PdfBookmark[]
}

/** The labels from page `from` on (the first is 1) are `prefix`, then a number in `style` that begins with `start`. */
interface PdfLabels {
  readonly from: number
  readonly style?: 'D' | 'R' | 'r' | 'A' | 'a'
  readonly prefix?: string
  readonly start?: number
}

/** An object is written when it is known whether and by which key it is encrypted. */
export type PdfObject = (encrypt: Encrypt) => Buffer

const catalogNumber = 1
const pagesNumber = 2
const latinFont = 3
const namedFont = 4
/** The numbers of `extraObjects` begin here: a font takes two more objects, and one maps its codes to Unicode. */
export const firstExtraObject = 8

export const pdfFile = (recipe: PdfRecipe): Buffer => {
  const objects: PdfObject[] = [plain(''), plain(''), ...fontObjects()]
  const add = (object: PdfObject): number => objects.push(object)
  const put = (number: number, object: PdfObject): void => void (objects[number - 1] = object)

  for (const object of recipe.extraObjects ?? []) add(() => Buffer.from(object))
  const pages = recipe.pages.map((page) => addPage(page, add))
  const outline = recipe.outline && addOutline(recipe.outline, { add, put, pages })
  const info = recipe.info && add(infoObject(recipe.info))
  put(pagesNumber, plain(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map(reference).join(' ')}] >>`))
  put(catalogNumber, catalogObject(recipe, outline))
  return assemblePdf(objects, {
    ...(info !== undefined && { info }),
    ...(recipe.encryption && { encryption: recipe.encryption }),
  })
}

export const plain =
  (text: string): PdfObject =>
  () =>
    Buffer.from(text, 'latin1')

export const stream =
  (content: Buffer, entries = ''): PdfObject =>
  (encrypt) => {
    const bytes = encrypt(content)
    return Buffer.concat([
      Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`, 'latin1'),
      bytes,
      Buffer.from('\nendstream'),
    ])
  }

interface Assembly {
  readonly info?: number
  readonly encryption?: PdfEncryption
  /** These entries are added to the trailer. */
  readonly trailer?: string
}

/** Numbers objects from 1 on, the first being the catalog, and writes where each stands. */
export const assemblePdf = (
  objects: readonly PdfObject[],
  { info, encryption, trailer = '' }: Assembly = {},
): Buffer => {
  const key = encryption && createCipherKey(encryption)
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')]
  let length = parts[0]?.length ?? 0
  const write = (bytes: Buffer): void => {
    parts.push(bytes)
    length += bytes.length
  }
  const offsets = [...objects, ...(key ? [plain(key.dictionary)] : [])].map((object, index) => {
    const offset = length
    const isKey = index === objects.length
    write(Buffer.from(`${index + 1} 0 obj\n`))
    write(object(key && !isKey ? key.encryptObject(index + 1) : (bytes) => bytes))
    write(Buffer.from('\nendobj\n'))
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const entries = [
    `/Size ${offsets.length + 1} /Root ${catalogNumber} 0 R`,
    info === undefined ? '' : `/Info ${reference(info)}`,
    key ? `/Encrypt ${reference(offsets.length)} /ID [<${key.fileId}> <${key.fileId}>]` : '',
    trailer,
  ]
  const start = length
  write(Buffer.from(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}`))
  write(
    Buffer.from(`trailer\n<< ${entries.filter((entry) => entry !== '').join(' ')} >>\nstartxref\n${start}\n%%EOF\n`),
  )
  return Buffer.concat(parts)
}

export const reference = (number: number): string => `${number} 0 R`

/** A text for people: UTF-16 with its mark, in hexadecimal. */
const words = (text: string, encrypt: Encrypt): string =>
  `<${encrypt(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()).toString('hex')}>`

const fontObjects = (): PdfObject[] => [
  plain('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
  plain(
    `<< /Type /Font /Subtype /Type0 /BaseFont /Nowhere /Encoding /Identity-H /DescendantFonts [${reference(5)}] /ToUnicode ${reference(7)} >>`,
  ),
  plain(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nowhere /DW 1000 /FontDescriptor ${reference(6)} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>`,
  ),
  plain(
    '<< /Type /FontDescriptor /FontName /Nowhere /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ),
  stream(Buffer.from(unicodeMap)),
]

/** Every code is the UTF-16 unit of its letter. */
const unicodeMap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Units def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
100 beginbfrange
${Array.from({ length: 100 }, (_, index) => bfRange(index)).join('\n')}
endbfrange
endcmap end end`

function bfRange(index: number): string {
  // Latin and its neighbours, kana, and the beginning of the ideographs.
  const block = (index < 8 ? index : index < 10 ? 0x30 + index - 8 : 0x4e + index - 10).toString(16).padStart(2, '0')
  return `<${block}00> <${block}ff> <${block}00>`
}

const addPage = (page: PdfPage, add: (object: PdfObject) => number): number => {
  const box = page.mediaBox ?? [0, 0, 595.28, 841.89]
  const image = page.jpeg && add(imageObject(page.jpeg))
  const content = add(stream(Buffer.from(contentOf(page, box), 'latin1')))
  const entries = [
    `/Type /Page /Parent ${reference(pagesNumber)} /MediaBox [${box.join(' ')}] /Contents ${reference(content)}`,
    page.cropBox ? `/CropBox [${page.cropBox.join(' ')}]` : '',
    page.rotate ? `/Rotate ${page.rotate}` : '',
    `/Resources << /Font << /Latin ${reference(latinFont)} /Named ${reference(namedFont)} >>`,
    image === undefined ? '>>' : `/XObject << /Picture ${reference(image)} >> >>`,
    page.entries ?? '',
  ]
  return add(plain(`<< ${entries.filter((entry) => entry !== '').join(' ')} >>`))
}

const imageObject = ({ bytes, width, height }: Jpeg): PdfObject =>
  stream(
    bytes,
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
  )

const contentOf = (
  { jpeg, text = [], drawing = '' }: PdfPage,
  box: readonly [number, number, number, number],
): string => {
  const [left, bottom, right, top] = box
  const picture = jpeg ? `q ${right - left} 0 0 ${top - bottom} ${left} ${bottom} cm /Picture Do Q\n` : ''
  const lines = text.map((line, index) => lineOf(line, index === 0)).join('\n')
  const writing = text.length > 0 ? `BT 16 TL ${left + 50} ${top - 60} Td\n${lines}\nET\n` : ''
  return `${drawing}\n${picture}${writing}`
}

const lineOf = (line: string, isFirst: boolean): string => {
  const isLatin = /^[\u0020-\u007e\u00a0-\u00ff]*$/.test(line)
  const code = isLatin ? Buffer.from(line, 'latin1') : Buffer.from(line, 'utf16le').swap16()
  return `/${isLatin ? 'Latin' : 'Named'} 12 Tf ${isFirst ? '' : 'T* '}<${code.toString('hex')}> Tj`
}

const infoObject =
  (info: Readonly<Record<string, string>>): PdfObject =>
  (encrypt) =>
    Buffer.from(
      `<< ${Object.entries(info)
        .map(([name, value]) => `/${name} ${words(value, encrypt)}`)
        .join(' ')} >>`,
    )

const catalogObject =
  ({ labels, catalog = '' }: PdfRecipe, outline: number | undefined): PdfObject =>
  (encrypt) => {
    const ranges = (labels ?? []).map(({ from, style, prefix, start }) => {
      const entries = [
        style === undefined ? '' : `/S /${style}`,
        prefix === undefined ? '' : `/P ${words(prefix, encrypt)}`,
        start === undefined ? '' : `/St ${start}`,
      ]
      return `${from - 1} << ${entries.join(' ')} >>`
    })
    const entries = [
      `/Type /Catalog /Pages ${reference(pagesNumber)}`,
      outline === undefined ? '' : `/Outlines ${reference(outline)}`,
      labels === undefined ? '' : `/PageLabels << /Nums [${ranges.join(' ')}] >>`,
      catalog,
    ]
    return Buffer.from(`<< ${entries.filter((entry) => entry !== '').join(' ')} >>`, 'latin1')
  }

interface OutlineContext {
  readonly add: (object: PdfObject) => number
  readonly put: (number: number, object: PdfObject) => void
  readonly pages: readonly number[]
}

const addOutline = (bookmarks: readonly PdfBookmark[], context: OutlineContext): number => {
  const root = context.add(plain(''))
  const numbers = addBookmarks(bookmarks, root, context)
  context.put(root, plain(`<< /Type /Outlines ${ends(numbers)} >>`))
  return root
}

const addBookmarks = (bookmarks: readonly PdfBookmark[], parent: number, context: OutlineContext): number[] => {
  const numbers = bookmarks.map(() => context.add(plain('')))
  for (const [index, bookmark] of bookmarks.entries()) {
    const number = numbers[index] ?? 0
    const children = addBookmarks(bookmark.children ?? [], number, context)
    context.put(
      number,
      bookmarkObject(bookmark, [`/Parent ${reference(parent)}`, siblings(numbers, index), ends(children)], context),
    )
  }
  return numbers
}

const bookmarkObject =
  ({ title, page, byAction }: PdfBookmark, links: readonly string[], { pages }: OutlineContext): PdfObject =>
  (encrypt) => {
    const destination = page === undefined ? undefined : `[${reference(pages[page - 1] ?? 0)} /Fit]`
    const target = byAction ? `/A << /S /GoTo /D ${destination} >>` : `/Dest ${destination}`
    return Buffer.from(
      `<< /Title ${words(title, encrypt)} ${links.join(' ')} ${destination === undefined ? '' : target} >>`,
      'latin1',
    )
  }

const siblings = (numbers: readonly number[], index: number): string =>
  [
    index > 0 ? `/Prev ${reference(numbers[index - 1] ?? 0)}` : '',
    index < numbers.length - 1 ? `/Next ${reference(numbers[index + 1] ?? 0)}` : '',
  ].join(' ')

const ends = (numbers: readonly number[]): string =>
  numbers.length === 0
    ? ''
    : `/First ${reference(numbers[0] ?? 0)} /Last ${reference(numbers.at(-1) ?? 0)} /Count ${numbers.length}`
