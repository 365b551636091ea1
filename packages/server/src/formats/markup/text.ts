import { readMarkup } from './markup.ts'
import type { MarkupSink } from './markup-sink.ts'
import { decodeChapter } from './sanitise.ts'

/** The words of a chapter as they are read: a line for each paragraph, nothing of what is not shown. */
export const chapterText = (bytes: Buffer): string =>
  readMarkup(decodeChapter(bytes), wordsSink)
    .words()
    .replaceAll(/[ \t\r\u00a0]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim()

/** A picture that is all there is on a page, and whether there is more than it. */
export interface PictureOnPage {
  /** The address is as the page writes it. */
  readonly address: string
  readonly isAlone: boolean
}

export const firstPicture = (bytes: Buffer): PictureOnPage | undefined => {
  const { addresses, words } = readMarkup(decodeChapter(bytes), pageSink)
  const [address] = addresses
  return address === undefined ? undefined : { address, isAlone: addresses.length === 1 && words().trim() === '' }
}

const unseen = new Set('head script style template noscript iframe object rt rp'.split(' '))
const blocks = new Set(
  `address article aside blockquote br center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main
  nav ol p pre section table td th tr ul`.split(/\s+/),
)

interface WordsSink extends MarkupSink {
  words(): string
}

const wordsSink = (): WordsSink => {
  let written = ''
  let unseenDepth = 0
  const open: boolean[] = []
  return {
    open: ({ name }) => {
      const isBlock = blocks.has(name)
      if (unseenDepth > 0 || unseen.has(name)) unseenDepth += 1
      else if (isBlock) written += '\n'
      open.push(isBlock)
    },
    text: (text) => {
      if (unseenDepth === 0) written += text.replaceAll('\n', ' ')
    },
    close: () => {
      if (unseenDepth > 0) unseenDepth -= 1
      else if (open.at(-1)) written += '\n'
      open.pop()
    },
    words: () => written,
  }
}

const pageSink = (): WordsSink & { readonly addresses: string[] } => {
  const addresses: string[] = []
  const sink = wordsSink()
  return {
    ...sink,
    addresses,
    open: (element) => {
      const { space, name, attributes } = element
      const addressAttribute = pictureAttributes.get(`${space} ${name}`)
      const address =
        addressAttribute === undefined ? undefined : attributes.find(([known]) => known === addressAttribute)?.[1]
      if (address !== undefined) addresses.push(address)
      sink.open(element)
    },
  }
}

const pictureAttributes = new Map([
  ['html img', 'src'],
  ['svg image', 'href'],
])
