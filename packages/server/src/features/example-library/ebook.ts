export interface TextFile {
  readonly name: string
  readonly text: string
}

interface Chapter {
  readonly title: string
  readonly paragraphs: readonly string[]
}

/** Written for this, so that there is a text to turn the pages of. */
export const chapters: readonly Chapter[] = [
  {
    title: 'The Desk by the Window',
    paragraphs: [
      'The reading room of the town opened at nine, and at nine there was already somebody at the desk by the window. Nobody had ever seen him come in.',
      'He read slowly. He turned a page as other people close a door behind them when a child sleeps next door. When he had come to the end of a book he put it back himself, which was against the rules, and always in the right place, which was why nobody said anything.',
      'Marta, who had the keys, had asked him once what he was looking for. He had thought about it for so long that she had gone to see to the stove and come back. “The one after this,” he had said.',
      'It was the kind of answer one writes down and finds years later in the pocket of a coat.',
    ],
  },
  {
    title: 'What Stood on the Ninth Shelf',
    paragraphs: [
      'There were eight shelves in the room, numbered in white paint, and in the winter of that year there were nine.',
      'Marta counted them twice. The ninth stood where the map of the county had hung, and it was full. The books on it had no titles on their backs, only the marks that fingers leave on cloth when somebody has held a thing often.',
      'She took down the first. It began with a desk by a window, and with somebody who sat at it, and whom nobody had seen come in.',
      'She did what everybody does. She turned to the last page. It was empty, but it was warm, as a cup is warm that somebody has just put down.',
    ],
  },
  {
    title: 'The One After This',
    paragraphs: [
      'In spring the desk by the window was free. The chair stood as it stands when somebody means to come back.',
      'Marta sat down in it, only to see what one saw from there. One saw the square, and the baker’s dog, and the road that went up behind the hill. One saw that the light came over the left shoulder, as it should.',
      'There was a book on the desk. She knew that she ought to put it back, and in which place. She opened it instead, at the beginning, and turned the page as one closes a door behind oneself when a child sleeps next door.',
      'At nine somebody came in for the newspapers, and found that the room was open, and that there was already somebody at the desk.',
    ],
  },
]

const fileName = (index: number): string => `chapter-${index + 1}.xhtml`

/** All that an ebook is but its cover; what says that it is one comes first. */
export const ebookFiles = (book: {
  readonly title: string
  readonly author: string
  readonly chapters: readonly Chapter[]
}): readonly TextFile[] => [
  { name: 'mimetype', text: 'application/epub+zip' },
  {
    name: 'META-INF/container.xml',
    text: `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
  },
  { name: 'OEBPS/content.opf', text: packageOf(book) },
  {
    name: 'OEBPS/nav.xhtml',
    text: page(
      'Contents',
      `<nav epub:type="toc"><ol>${book.chapters.map(({ title }, index) => `<li><a href="${fileName(index)}">${title}</a></li>`).join('')}</ol></nav>`,
    ),
  },
  ...book.chapters.map(({ title, paragraphs }, index) => ({
    name: `OEBPS/${fileName(index)}`,
    text: page(title, `<h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}`),
  })),
]

const page = (title: string, body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en"><head><title>${title}</title></head><body>${body}</body></html>`

const packageOf = ({ title, author, chapters: all }: Parameters<typeof ebookFiles>[0]): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:carrel:example:reading-room</dc:identifier><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator><dc:language>en</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="cover" href="cover.jpg" media-type="image/jpeg" properties="cover-image"/>${all.map((_, index) => `<item id="c${index}" href="${fileName(index)}" media-type="application/xhtml+xml"/>`).join('')}</manifest>
<spine>${all.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`
