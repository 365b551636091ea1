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

/** All ways there are for a book to run something or to call somebody: `callTo` is where. */
export const hostileChapter = (callTo: string): string => `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xlink="http://www.w3.org/1999/xlink"><head><title>Trap</title>
<meta http-equiv="refresh" content="0;url=${callTo}/refresh"/><base href="${callTo}/base/"/>
<link rel="stylesheet" href="${callTo}/sheet.css"/><link rel="preload" as="image" href="${callTo}/preload.png"/>
<link rel="prefetch" href="${callTo}/prefetch"/><link rel="dns-prefetch" href="${callTo}"/>
<link rel="stylesheet" href="../trap.css"/>
<style>@import url("${callTo}/import.css"); @font-face { font-family: spy; src: url("${callTo}/font.woff2") }
p { font-family: spy; background: url(${callTo}/background.png); list-style-image: url("${callTo}/list.png") }</style>
<script>parent.ran = 'script'; top.ran = 'script'</script><script src="${callTo}/script.js"></script>
</head><body onload="parent.ran = 'onload'" background="${callTo}/body.png">
<h1>The trap</h1><p style="background-image: url(${callTo}/style.png)" onclick="parent.ran = 'onclick'">Once upon a time.</p>
<img src="${callTo}/picture.png" onerror="parent.ran = 'onerror'" alt="p"/><img srcset="${callTo}/set.png 1x" alt="s"/>
<img src="x" onerror="parent.ran = 'onerror'" alt="x"/>
<picture><source srcset="${callTo}/source.png"/><img alt="q"/></picture>
<iframe src="${callTo}/frame.html"></iframe><iframe srcdoc="&lt;script>top.ran = 'srcdoc'&lt;/script>"></iframe>
<object data="${callTo}/object.swf"></object><embed src="${callTo}/embed.swf"/>
<video src="${callTo}/film.mp4" poster="${callTo}/poster.png" autoplay="autoplay"></video>
<audio src="${callTo}/sound.mp3" autoplay="autoplay"></audio>
<form action="${callTo}/form"><input name="q" autofocus="autofocus" onfocus="parent.ran = 'onfocus'"/><button>Send</button></form>
<svg xmlns="http://www.w3.org/2000/svg" onload="parent.ran = 'svg'"><script>parent.ran = 'svg script'</script>
<image href="${callTo}/svg.png" xlink:href="${callTo}/svg2.png" width="9" height="9"/><use href="${callTo}/use.svg#a"/>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="parent.ran = 'foreign'"></body></foreignObject>
<a xlink:href="javascript:parent.ran = 'svg link'"><text y="20">a drawn link</text></a>
<animate attributeName="href" values="javascript:parent.ran = 'animate'"/></svg>
<p><a href="javascript:parent.ran = 'link'">a link that runs</a> <a href="${callTo}/ping" ping="${callTo}/ping">a link away</a></p>
<img src="../trap.svg" alt="drawing"/></body></html>`

/** The same in a style sheet and in a drawing of its own. */
export const hostileBook = (callTo: string): Buffer =>
  epub({
    title: 'The Trap',
    chapters: [
      { title: 'Trap', source: hostileChapter(callTo) },
      { title: 'After it', body: '<p>Nothing has happened.</p>' },
    ],
    items: [
      {
        name: 'trap.css',
        mediaType: 'text/css',
        bytes: Buffer.from(
          `@import "${callTo}/a.css"; @import url(${callTo}/b.css); p::before { content: url(${callTo}/content.png) } h1 { cursor: url(${callTo}/cursor.cur), auto; behavior: url(${callTo}/c.htc) }`,
        ),
      },
      {
        name: 'trap.svg',
        mediaType: 'image/svg+xml',
        bytes: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="top.ran = 'drawing'"><script>top.ran = 'drawing'</script><style>@import url(${callTo}/svg.css);</style><image href="${callTo}/inner.png" width="9" height="9"/><rect width="40" height="40"/></svg>`,
        ),
      },
    ],
  })

const vertical = (): Buffer =>
  epub({
    title: 'Neko',
    direction: 'rtl',
    chapters: [1, 2].map((number) => ({
      title: `第${number}章`,
      source: `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="ja"><head><title>${number}</title><style>html{writing-mode:vertical-rl}</style></head><body><h1>第${number}章</h1>${'<p>吾輩は猫である。 I am a cat; as yet I have no name, and no idea of where I was born.</p>'.repeat(60)}</body></html>`,
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
