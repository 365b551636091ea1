import sharp from 'sharp'
import { type Jpeg, pdfFile, type PdfRecipe } from './pdf.ts'

/** Books whose text, outline, labels and sizes are written down in `pdf-expected.json`. */
export const pdfCorpus = async (): Promise<Readonly<Record<string, Buffer>>> => {
  const drawn = await Promise.all([0, 1, 2].map((index) => drawnPage(index)))
  return Object.fromEntries(
    Object.entries({
      novel,
      scan: scanOf(drawn),
      manual,
      plain: { pages: [{ text: ['Nothing but a page'] }] },
    }).flatMap(([name, recipe]) => [
      [name, pdfFile(recipe)],
      [
        `${name}, protected against changes`,
        pdfFile({ ...recipe, encryption: { userPassword: '', ownerPassword: 'boss' } }),
      ],
    ]),
  )
}

/** A page of grey with a black frame, as many pixels as a scan has. */
export const drawnPage = async (index: number, width = 800, height = 1200): Promise<Jpeg> => {
  const grey = 200 - (index % 10) * 15
  const inner = await sharp({
    create: { width: width - 80, height: height - 80, channels: 3, background: { r: grey, g: grey, b: grey } },
  })
    .png()
    .toBuffer()
  const bytes = await sharp({ create: { width, height, channels: 3, background: 'black' } })
    .composite([{ input: inner, left: 40, top: 40 }])
    .jpeg({ quality: 85 })
    .toBuffer()
  return { bytes, width, height }
}

const novel: PdfRecipe = {
  info: {
    Title: 'The Lighthouse',
    Author: 'Ada Blanc; Jean Noir',
    Subject: 'A keeper counts ships.',
    Keywords: 'sea, night',
    CreationDate: "D:20240229120000+01'00'",
  },
  pages: [
    { text: ['The Lighthouse', 'by Ada Blanc and Jean Noir'] },
    { text: ['Preface', 'Written in Orléans, in the year of the storm.'] },
    { text: ['Chapter One', 'There was a light (and then there was none).'] },
    { text: ['A backslash \\ and 100 % of a percent sign.'] },
    { text: ['Chapter Two', 'Nobody came.'] },
    {},
  ],
  labels: [
    { from: 1, prefix: 'Cover' },
    { from: 2, style: 'r', start: 4 },
    { from: 3, style: 'D' },
    { from: 6, style: 'A', prefix: 'Back-' },
  ],
  outline: [
    { title: 'Preface', page: 2 },
    {
      title: 'First part',
      children: [
        { title: 'Chapter One', page: 3, children: [{ title: 'None', page: 4, byAction: true }] },
        { title: 'Chapter Two — the end', page: 5 },
      ],
    },
  ],
}

const scanOf = (drawn: readonly Jpeg[]): PdfRecipe => ({
  pages: drawn.map((jpeg) => ({ jpeg, mediaBox: [0, 0, 384, 576] as const })),
  labels: [{ from: 1, style: 'D', prefix: '漫画 ', start: 99 }],
  outline: [
    { title: '第一話', page: 1 },
    { title: '第二話', page: 3 },
  ],
})

const manual: PdfRecipe = {
  pages: [
    { text: ['Upright'], mediaBox: [0, 0, 300, 600] },
    { text: ['Turned right'], mediaBox: [0, 0, 300, 600], rotate: 90 },
    { text: ['On its head'], mediaBox: [0, 0, 300, 600], rotate: 180 },
    { text: ['日本語のページ', 'mixed with Latin'], mediaBox: [-100, -200, 500, 100] },
    { text: ['Cut on all sides'], mediaBox: [0, 0, 600, 600], cropBox: [25, 300, 325, 600], rotate: 270 },
  ],
}
