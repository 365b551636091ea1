import * as api from '@carrel/api'
import { epub } from '../packages/server/test/books/epub.ts'
import { hostilePdfs } from '../packages/server/test/books/hostile-pdf.ts'
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

/** It tries all ways in which a book can run something or call somebody: `callTo` is the address. */
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

/** A drawing that holds all that drawings may hold. */
const hostileDrawing = (callTo: string): string => `<?xml version="1.0"?>
<?xml-stylesheet type="text/css" href="${callTo}/by-instruction.css"?>
<!DOCTYPE svg [<!ENTITY spy SYSTEM "${callTo}/entity.txt">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="400" height="400" onload="top.ran = 'drawing'">
<script>top.ran = 'drawing'</script><script href="${callTo}/drawing.js"/><style>@import url(${callTo}/svg.css); @font-face { font-family: a; src: url(${callTo}/svg.woff2) } text { font-family: a; fill: url(${callTo}/fill.svg#a) }</style>
<image href="${callTo}/inner.png" width="9" height="9"/><image xlink:href="${callTo}/linked.png" width="9" height="9"/>
<use href="${callTo}/other.svg#a"/><feImage href="${callTo}/filter.png"/>
<foreignObject width="100" height="100"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${callTo}/framed.html"/>
<img xmlns="http://www.w3.org/1999/xhtml" src="${callTo}/foreign.png" onerror="top.ran = 'foreign'"/><script xmlns="http://www.w3.org/1999/xhtml">top.ran = 'foreign script'</script>
<audio xmlns="http://www.w3.org/1999/xhtml" src="${callTo}/sound.mp3" autoplay="autoplay"/></foreignObject>
<set attributeName="onmouseover" to="top.ran = 'set'"/><animate attributeName="href" onbegin="top.ran = 'begin'" dur="1s"/>
<rect width="400" height="400" onclick="top.ran = 'click'" fill="#ccc"/>
<a href="javascript:top.ran = 'link'"><text y="40" x="20" font-size="30">press here</text></a>&spy;</svg>`

/** These parts are not in the reading order, and would do harm if somebody opened them by their address. */
const hostileParts = (callTo: string) =>
  [
    ['drawing.svg', 'image/svg+xml', hostileDrawing(callTo)],
    ['drawing-as-picture.png', 'image/png', hostileDrawing(callTo)],
    ['drawing-as-sound.mp3', 'audio/mpeg', hostileDrawing(callTo)],
    ['page-as-font.woff2', 'font/woff2', hostileChapter(callTo)],
    ['page-as-text.txt', 'text/plain', hostileChapter(callTo)],
    ['aside.xhtml', 'application/xhtml+xml', hostileChapter(callTo)],
    [
      'old.html',
      'text/html',
      `<script>top.ran = 'old'</script><img src="${callTo}/old.png"><a href="javascript:top.ran = 'old'">press here</a>`,
    ],
    ['program.js', 'text/javascript', "top.ran = 'program'"],
    [
      'deep.css',
      'text/css',
      `@import "trap.css"; @import "${callTo}/deep.css"; * { background: url("${callTo}/deep.png") }`,
    ],
  ].map(([name = '', mediaType = '', text = '']) => ({ name, mediaType, bytes: Buffer.from(text) }))

/** The same in a style sheet and in drawings of its own. */
const hostileBook = (callTo: string): Buffer =>
  epub({
    title: 'The Trap',
    chapters: [
      { title: 'Trap', source: hostileChapter(callTo) },
      { title: 'After it', body: '<p>Nothing has happened.</p>' },
    ],
    items: [
      ...hostileParts(callTo),
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

const pageStyle = `html, body { margin: 0 } body { position: relative; width: 600px; height: 800px; font: 24px/1.3 serif }
.words { position: absolute; left: 60px; top: 90px; width: 480px } .sea { position: absolute; left: 0; bottom: 0; width: 600px; height: 240px }`

const page = (number: number, words: string, color: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>Page ${number}</title>
<meta name="viewport" content="width=600, height=800"/><link rel="stylesheet" type="text/css" href="../page.css"/></head>
<body style="background:${color}"><div class="sea" style="background:#28666e"></div><p class="words">${words}</p></body></html>`

/** A page that is a drawing, with styles of its own. */
const drawnPage = (words: string, color: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800" width="600" height="800" xml:lang="en">
<style>.ground { fill: ${color} } .words { font: 24px serif; fill: #1b1b1b }</style><rect class="ground" width="600" height="800"/><text class="words" x="60" y="130">${words}</text></svg>`

const colours = ['#f6e7cb', '#dceefb', '#fde2e4', '#e2f0cb', '#fff1c9', '#e6e0f8']

/** Pages that are laid out: a cover, two spreads and, of six, an end. */
const picturebook = (direction: 'ltr' | 'rtl', count: 5 | 6): Buffer => {
  const [begins, ends] = direction === 'rtl' ? ['right', 'left'] : ['left', 'right']
  const words = (number: number): string =>
    number === 2
      ? 'The whale swam far away. <a href="ch5.xhtml">What came of it</a>'
      : number === 4
        ? 'Here a narwhal is named.'
        : `These are the words of page ${number}.`
  return epub({
    title: direction === 'rtl' ? 'Umi' : 'The Small Whale',
    layout: 'fixed',
    direction,
    cover: 'none',
    chapters: [1, 2, 3, 4, 5, 6].slice(0, count).map((number) => ({
      title: number % 2 === 0 ? `Part ${number / 2}` : `Leaf ${number}`,
      ...(number === 3
        ? { name: 'text/ch3.svg', mediaType: 'image/svg+xml', source: drawnPage(words(3), colours[2] ?? '#fff') }
        : { source: page(number, words(number), colours[number - 1] ?? '#fff') }),
      properties: number === 1 ? 'rendition:page-spread-center' : `page-spread-${number % 2 === 0 ? begins : ends}`,
    })),
    items: [{ name: 'page.css', mediaType: 'text/css', bytes: Buffer.from(pageStyle) }],
  })
}

/** Four seconds of a low tone, as a WAV. */
const tone = (): Buffer => {
  const rate = 8000
  const samples = Buffer.from(Array.from({ length: rate * 4 }, (_, at) => 128 + Math.round(60 * Math.sin(at / 8))))
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** Sound of the book, and sound from elsewhere. */
const songbook = (callTo: string): Buffer => {
  const body = `<h1>Songs</h1><p>Listen.</p><audio src="../song.wav" autoplay="autoplay" id="own"></audio>
<video poster="${callTo}/poster.png" id="film" autoplay="autoplay"><source src="${callTo}/film.mp4" type="video/mp4"/><source src="../packed.wav" type="audio/wav"/></video>
<audio src="${callTo}/song.mp3" autoplay="autoplay">This song is sung elsewhere.</audio>`
  const song = { name: 'OEBPS/song.wav', bytes: tone(), method: 'stored' as const }
  return epub({
    title: 'Songs of the Sea',
    chapters: [
      { title: 'Songs', body },
      { title: 'After them', body: '<p>Silence.</p>' },
    ],
    items: ['song.wav', 'packed.wav'].map((name) => ({ name, mediaType: 'audio/x-wav', bytes: tone() })),
    members: [song],
  })
}

const spoken = (
  chapter: number,
  part: number,
  [begin, end]: readonly [string, string],
  sound = '../voice.wav',
): string =>
  `<par><text src="ch${chapter}.xhtml#s${part}"/><audio src="${sound}" clipBegin="${begin}" clipEnd="${end}"/></par>`

/**
 * Two chapters of this book are narrated, one between them is not; a sound from elsewhere does not belong to the book.
 */
const talkingBook = (callTo: string): Buffer => {
  const overlay = (...pars: readonly string[]): Buffer =>
    Buffer.from(`<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body><seq>${pars.join('')}</seq></body></smil>`)
  const mediaType = 'application/smil+xml'
  return epub({
    title: 'The Talking Sea',
    metadata: '<meta property="media:active-class">said</meta>',
    chapters: [
      {
        title: 'Waves',
        body: '<h1>Waves</h1><p><span id="s1">The first wave came.</span> <span id="s2">The second wave went.</span></p><p id="s3">Then all was still.</p>',
        overlay: 'text/ch1.smil',
      },
      { title: 'Silence', body: '<h1>Silence</h1><p>Nobody reads this.</p>' },
      { title: 'Wind', body: '<h1>Wind</h1><p id="s4">The wind rose.</p>', overlay: 'text/ch3.smil' },
    ],
    items: [
      {
        name: 'text/ch1.smil',
        mediaType,
        bytes: overlay(
          spoken(1, 1, ['0s', '1.2s']),
          spoken(1, 9, ['0s', '1s'], `${callTo}/voice.mp3`),
          spoken(1, 2, ['0:00:01.200', '0:00:02.400']),
          spoken(1, 3, ['2400ms', '3s']),
        ),
      },
      { name: 'text/ch3.smil', mediaType, bytes: overlay(spoken(3, 4, ['0', '0.8s'])) },
      { name: 'voice.wav', mediaType: 'audio/wav', bytes: tone() },
    ],
    members: [{ name: 'OEBPS/voice.wav', bytes: tone(), method: 'stored' }],
  })
}

export interface EbookApp extends App {
  readonly idOf: (path: string) => string
}

/** These PDFs would run or fetch something when they are opened. */
const pdfs = new Set(['a script on opening', 'an address to open', 'a link on the page', 'content in another file'])

type Books = Readonly<Record<string, Buffer>>

export const textBooks = (): Books => ({ 'Novel/Novel 1.epub': novel(), 'Neko/Neko 1.epub': vertical() })

/** Some books have pages or songs, others are hostile: those call `callTo`. */
export const otherBooks = (callTo: string): Books => ({
  'Small/Small 1.epub': picturebook('ltr', 6),
  'Umi/Umi 1.epub': picturebook('rtl', 5),
  'Songs/Songs 1.epub': songbook(callTo),
  'Talking/Talking 1.epub': talkingBook(callTo),
  'Hostile/Hostile 1.epub': hostileBook(callTo),
  ...Object.fromEntries(
    Object.entries(hostilePdfs(callTo)).flatMap(([name, bytes]) =>
      pdfs.has(name) ? [[`Papers/${name}.pdf`, bytes]] : [],
    ),
  ),
})

export const startEbookApp = async (books: Books): Promise<EbookApp> => {
  const app = await startApp({ books: [] })
  for (const [path, bytes] of Object.entries(books)) await app.folder.write(path, bytes)
  const libraryId = await scannedLibrary(app.admin, app.folder.path)
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { libraryId } }))
  const idOf = (path: string): string => {
    const book = data.find((each) => each.path?.endsWith(path))
    if (!book) throw new Error(`There is no book ${path}`)
    return book.id
  }
  return { ...app, libraryId, idOf }
}
