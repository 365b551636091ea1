import { createHash } from 'node:crypto'
import { jpeg, randomFrom } from './pictures.ts'
import { zip, type ZipMember } from './zip.ts'

interface EpubChapter {
  readonly title?: string
  /** It is the content of the body; absent, some text is made up. */
  readonly body?: string
  /** The whole file instead. */
  readonly source?: string | Buffer
  readonly name?: string
  /** XHTML, when it is not said. */
  readonly mediaType?: string
  readonly isLinear?: boolean
  /** They are the properties of the `itemref`. */
  readonly properties?: string
  /** The file that says when it is heard. */
  readonly overlay?: string
}

export interface EpubOptions {
  readonly version?: 2 | 3
  readonly title?: string
  readonly author?: string
  readonly identifier?: string
  /** It is their number, or the chapters themselves. */
  readonly chapters?: number | readonly EpubChapter[]
  /** Words of a chapter that is made up. */
  readonly words?: number
  readonly navigation?: 'nav' | 'ncx' | 'both' | 'none' | 'broken'
  /** It says how the book names its cover; `page`: it does not, but the picture is on the first page. */
  readonly cover?: 'property' | 'meta' | 'id' | 'guide' | 'page' | 'none'
  readonly series?: { readonly title: string; readonly position: string; readonly as: 'collection' | 'calibre' }
  readonly direction?: 'ltr' | 'rtl' | 'default'
  readonly layout?: 'fixed' | 'kindle' | 'apple' | 'reflowable'
  readonly font?: 'clear' | 'idpf' | 'adobe'
  /** These are added to the metadata, the manifest and the archive; a member replaces the one of the same name. */
  readonly metadata?: string
  readonly items?: readonly EpubItem[]
  readonly members?: readonly ZipMember[]
  /** All members are packed like this, except those that may not be. */
  readonly packing?: 'stored' | 'deflated'
  /** Files left out of the archive, by their names. */
  readonly without?: readonly string[]
}

interface EpubItem {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Buffer
  readonly properties?: string
  readonly overlay?: string
}

/** The folder everything is in, and with it every name. */
const epubFolder = 'OEBPS/'

/** A font as far as anybody looks: its first bytes say what it is. */
export const fontBytes = Buffer.concat([Buffer.from('wOF2'), Buffer.alloc(4000, 7)])

const coverName = 'images/cover.jpg'
export const coverBytes = jpeg({ width: 60, height: 90, seed: 7 })

export const epub = (options: EpubOptions = {}): Buffer => {
  const book = settle(options)
  const members: ZipMember[] = [
    { name: 'mimetype', bytes: Buffer.from('application/epub+zip'), method: 'stored' },
    { name: 'META-INF/container.xml', bytes: Buffer.from(container) },
    ...metaFiles(book),
    { name: `${epubFolder}package.opf`, bytes: Buffer.from(packageDocument(book)) },
    ...book.items.map(({ name, bytes }) => ({ name: epubFolder + name, bytes, method: book.packing })),
  ]
  const replaced = new Set(book.members.map(({ name }) => String(name)))
  const made = members.filter(({ name }) => !book.without.includes(String(name)) && !replaced.has(String(name)))
  return zip([...made, ...book.members])
}

/** A comic as an EPUB: every page a picture and nothing else. */
export const comicEpub = (pageCount: number, options: EpubOptions = {}): Buffer =>
  epub({
    layout: 'fixed',
    direction: 'rtl',
    cover: 'none',
    chapters: Array.from({ length: pageCount }, (_, index) => ({
      title: `Page ${index + 1}`,
      body: `<div style="text-align:center"><img src="../page${index + 1}.jpg" alt="Page ${index + 1}"/></div>`,
    })),
    items: Array.from({ length: pageCount }, (_, index) => ({
      name: `page${index + 1}.jpg`,
      mediaType: 'image/jpeg',
      bytes: jpeg({ width: 80, height: 120, seed: index + 1 }),
    })),
    ...options,
  })

type Settled = Required<Omit<EpubOptions, 'series' | 'chapters' | 'font'>> &
  Pick<EpubOptions, 'series' | 'font'> & { readonly chapters: readonly (EpubChapter & { readonly name: string })[] }

const settle = (options: EpubOptions): Settled => {
  const version = options.version ?? 3
  const settled = {
    version,
    title: 'Moby-Dick',
    author: 'Herman Melville',
    identifier: 'urn:uuid:12345678-1234-5678-9abc-def012345678',
    words: 200,
    navigation: version === 3 ? ('nav' as const) : ('ncx' as const),
    cover: version === 3 ? ('property' as const) : ('meta' as const),
    direction: 'default' as const,
    layout: 'reflowable' as const,
    metadata: '',
    packing: 'deflated' as const,
    members: [],
    without: [],
    ...options,
    chapters: settleChapters(options),
  }
  return { ...settled, items: [...itemsOf(settled), ...(options.items ?? [])] }
}

const settleChapters = ({ chapters = 3, words = 200 }: EpubOptions) => {
  const chapterList =
    typeof chapters === 'number' ? Array.from({ length: chapters }, (): EpubChapter => ({})) : chapters
  return chapterList.map((chapter, index) => ({
    title: `Chapter ${index + 1}`,
    name: `text/ch${index + 1}.xhtml`,
    body: proseOf(index + 1, words),
    ...chapter,
  }))
}

const vocabulary = `whale sea ship captain harpoon deck water white great old night wind sail boat man hand eye thought
  never long far deep cold strange voyage`.split(/\s+/)

const proseOf = (seed: number, words: number): string => {
  const random = randomFrom(seed)
  const paragraphs = Math.max(1, Math.round(words / 60))
  const sentence = (): string =>
    Array.from(
      { length: Math.ceil(words / paragraphs) },
      () => vocabulary[Math.floor(random() * vocabulary.length)],
    ).join(' ')
  return `<h1>Chapter ${seed}</h1>${Array.from({ length: paragraphs }, () => `<p>${sentence()}.</p>`).join('\n')}`
}

const itemsOf = (book: Omit<Settled, 'items'>): EpubItem[] => [
  ...book.chapters.map((chapter) => ({
    name: chapter.name,
    mediaType: chapter.mediaType ?? 'application/xhtml+xml',
    bytes: Buffer.from(chapter.source ?? chapterDocument(book, chapter)),
    ...(chapter.overlay !== undefined && { overlay: chapter.overlay }),
  })),
  ...(book.cover === 'none' ? [] : coverItems(book)),
  ...navigationItems(book),
  ...fontItems(book),
  { name: 'style.css', mediaType: 'text/css', bytes: Buffer.from('p{margin:0}') },
]

const chapterDocument = (book: Omit<Settled, 'items'>, { title = '', body = '', name }: EpubChapter): string => {
  const isFirst = name === book.chapters[0]?.name
  const cover = isFirst && book.cover === 'page' ? '<img src="../images/cover.jpg" alt=""/>' : ''
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>${title}</title><link rel="stylesheet" type="text/css" href="../style.css"/></head><body>${cover}${body}</body></html>`
}

const coverItems = ({ cover }: Pick<Settled, 'cover'>): EpubItem[] => [
  {
    name: coverName,
    mediaType: 'image/jpeg',
    bytes: coverBytes,
    ...(cover === 'property' ? { properties: 'cover-image' } : {}),
  },
]

const navigationItems = (book: Omit<Settled, 'items'>): EpubItem[] => {
  const nav = {
    name: 'nav.xhtml',
    mediaType: 'application/xhtml+xml',
    properties: 'nav',
    bytes: Buffer.from(book.navigation === 'broken' ? '<html><nav epub:type="toc"><ol><li>' : navDocument(book)),
  }
  const ncx = { name: 'toc.ncx', mediaType: 'application/x-dtbncx+xml', bytes: Buffer.from(ncxDocument(book)) }
  switch (book.navigation) {
    case 'nav':
      return [nav]
    case 'ncx':
      return [ncx]
    case 'both':
    case 'broken':
      return [nav, ncx]
    case 'none':
      return []
  }
}

/** Two chapters to a part. */
const partsOf = <Chapter>(chapters: readonly Chapter[]): (readonly Chapter[])[] =>
  Array.from({ length: Math.ceil(chapters.length / 2) }, (_, part) => chapters.slice(2 * part, 2 * part + 2))

const navDocument = ({ chapters }: Pick<Settled, 'chapters'>): string => {
  const parts = partsOf(chapters).map(
    (part, index) =>
      `<li><span>Part ${index + 1}</span><ol>${part.map(({ name, title }) => `<li><a href="${name}">${title}</a></li>`).join('')}</ol></li>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head><body>
<nav epub:type="landmarks"><ol><li><a href="text/ch1.xhtml">Start</a></li></ol></nav><nav epub:type="toc"><h1>Contents</h1><ol>${parts.join('')}</ol></nav></body></html>`
}

const ncxDocument = ({ chapters }: Pick<Settled, 'chapters'>): string => {
  const points = chapters.map(
    ({ name, title }, index) =>
      `<navPoint id="n${index}"><navLabel><text>${title} (NCX)</text></navLabel><content src="${name}"/><navPoint id="s${index}"><navLabel><text>Section</text></navLabel><content src="${name}#s"/></navPoint></navPoint>`,
  )
  return `<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>${points.join('')}</navMap></ncx>`
}

const fontName = 'fonts/whale.woff2'

const fontItems = ({ font, identifier }: Pick<Settled, 'identifier' | 'font'>): EpubItem[] => {
  if (font === undefined) return []
  const key = {
    clear: Buffer.alloc(1),
    idpf: createHash('sha1').update(identifier).digest(),
    adobe: Buffer.from(identifier.replaceAll(/urn:uuid:|-/g, ''), 'hex'),
  }[font]
  const length = font === 'adobe' ? 1024 : 1040
  const bytes = fontBytes.map((byte, at) => (at < length ? byte ^ (key[at % key.length] ?? 0) : byte))
  return [{ name: fontName, mediaType: 'application/vnd.ms-opentype', bytes: Buffer.from(bytes) }]
}

const algorithms = { idpf: 'http://www.idpf.org/2008/embedding', adobe: 'http://ns.adobe.com/pdf/enc#RC' }

/** It states that a file is encrypted, and how. */
export const encryptionDocument = (path: string, algorithm: string): string =>
  `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${path}"/></enc:CipherData></enc:EncryptedData></encryption>`

const metaFiles = ({ font, layout }: Settled): ZipMember[] => [
  ...(font === 'idpf' || font === 'adobe'
    ? [
        {
          name: 'META-INF/encryption.xml',
          bytes: Buffer.from(encryptionDocument(epubFolder + fontName, algorithms[font])),
        },
      ]
    : []),
  ...(layout === 'apple'
    ? [
        {
          name: 'META-INF/com.apple.ibooks.display-options.xml',
          bytes: Buffer.from(
            '<display_options><platform name="*"><option name="fixed-layout">true</option></platform></display_options>',
          ),
        },
      ]
    : []),
]

const container = `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${epubFolder}package.opf" media-type="application/oebps-package+xml"/><rootfile full-path="other.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

const packageDocument = (book: Settled): string => {
  const items = book.items.map(
    ({ name, mediaType, properties, overlay }) =>
      `<item id="${book.cover === 'id' && name === coverName ? 'cover-image' : idOf(name)}" href="${encodeURI(name)}" media-type="${mediaType}"${properties === undefined ? '' : ` properties="${properties}"`}${overlay === undefined ? '' : ` media-overlay="${idOf(overlay)}"`}/>`,
  )
  const refs = book.chapters.map(
    ({ name, isLinear = true, properties }) =>
      `<itemref idref="${idOf(name)}"${isLinear ? '' : ' linear="no"'}${properties === undefined ? '' : ` properties="${properties}"`}/>`,
  )
  const guide =
    book.cover === 'guide' ? `<guide><reference type="cover" href="${coverName}" title="Cover"/></guide>` : ''
  const direction = book.direction === 'default' ? '' : ` page-progression-direction="${book.direction}"`
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="${book.version}.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
<dc:identifier id="id">${book.identifier}</dc:identifier><dc:title>${book.title}</dc:title><dc:language>en</dc:language><dc:creator id="a">${book.author}</dc:creator>
${metasOf(book)}${book.metadata}</metadata><manifest>${items.join('\n')}</manifest><spine toc="toc.ncx"${direction}>${refs.join('')}</spine>${guide}</package>`
}

const idOf = (name: string): string => name.replaceAll(/[^\w.]/g, '-')

const metasOf = ({ cover, layout, series }: Settled): string =>
  [
    cover === 'meta' ? `<meta name="cover" content="${idOf(coverName)}"/>` : '',
    layout === 'fixed' ? '<meta property="rendition:layout">pre-paginated</meta>' : '',
    layout === 'kindle' ? '<meta name="fixed-layout" content="true"/>' : '',
    series === undefined ? '' : seriesOf(series),
  ].join('')

const seriesOf = ({ title, position, as }: NonNullable<EpubOptions['series']>): string =>
  as === 'calibre'
    ? `<meta name="calibre:series" content="${title}"/><meta name="calibre:series_index" content="${position}"/>`
    : `<meta property="belongs-to-collection" id="c">${title}</meta><meta refines="#c" property="collection-type">series</meta><meta refines="#c" property="group-position">${position}</meta>`
