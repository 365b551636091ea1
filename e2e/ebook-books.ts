import * as api from '@carrel/api'
import { epub } from '../packages/server/test/books/epub.ts'
import { jpeg } from '../packages/server/test/books/pictures.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, scannedLibrary, startApp } from './app.ts'

const paragraphs = (chapter: number, count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `<p id="p${chapter}-${index + 1}">Paragraph ${index + 1} of chapter ${chapter}. ${'The whale swam on through the cold green water, and nobody on deck said a word. '.repeat(4)}</p>`,
  ).join('')

const novel = (): Buffer =>
  epub({
    title: 'The Long Whale',
    chapters: [1, 2, 3, 4].map((number) => ({
      title: `Chapter ${number}`,
      body: `<h1 style="text-align:center">Chapter ${number}</h1>${number === 2 ? extras : ''}${paragraphs(number, 24)}${number === 4 ? notes : ''}`,
    })),
    items: [{ name: 'images/whale.jpg', mediaType: 'image/jpeg', bytes: jpeg({ width: 300, height: 200, seed: 3 }) }],
  })

const extras = `<p>A remark.<a epub:type="noteref" href="ch4.xhtml#n1">1</a> See <a href="ch3.xhtml#p3-9">the ninth paragraph</a>.</p>
<p><img src="../images/whale.jpg" alt="A whale, breaching"/></p><p>Zanzibar is named but once in here: the rare word.</p>`
const notes = '<aside epub:type="footnote" id="n1"><p>1. Whales are no fish. <a href="ch2.xhtml">↩</a></p></aside>'

const vertical = (): Buffer =>
  epub({
    title: 'Neko',
    direction: 'rtl',
    chapters: [1, 2].map((number) => ({
      title: `第${number}章`,
      source: `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="ja"><head><title>${number}</title><style>html{writing-mode:vertical-rl}</style></head><body><h1>第${number}章</h1>${'<p>吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。</p>'.repeat(60)}</body></html>`,
    })),
  })

export interface EbookApp extends App {
  readonly idOf: (path: string) => string
}

/** Books of text, and one that means ill: it calls the site at `port`. */
export const startEbookApp = async (hostile?: Buffer): Promise<EbookApp> => {
  const app = await startApp({ books: [] })
  await app.folder.write('Novel/Novel 1.epub', novel())
  await app.folder.write('Neko/Neko 1.epub', vertical())
  if (hostile) await app.folder.write('Hostile/Hostile 1.epub', hostile)
  const libraryId = await scannedLibrary(app.admin, app.folder.path)
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { libraryId } }))
  const idOf = (path: string): string => {
    const book = data.find((each) => each.path?.endsWith(path))
    if (!book) throw new Error(`There is no book ${path}`)
    return book.id
  }
  return { ...app, libraryId, idOf }
}
