import { targetOf } from '../../../../reader/ebook/book-address.ts'
import type { Section } from '../../../../reader/ebook/book-map.ts'
import { addressesIn, fittedStyles, relinked } from '../../../../reader/ebook/book-styles.ts'
import { addressOfFile, type BookFile, readFile } from './book-files.ts'
import { parseBookMarkup } from './book-markup.ts'

/** The chapters of a book as the engine wants them: addresses of documents in memory, made when they are requested. */
export interface Chapters {
  /** It returns the address of the chapter, or of a page that says why the chapter cannot be loaded. */
  load(index: number): Promise<string>
  unload(index: number): void
  /** The chapter as it is in the book, for what is taken from it and shown elsewhere. */
  read(index: number): Promise<Document>
  close(): void
}

export interface ChaptersOptions {
  readonly book: BookFile
  readonly sections: readonly Section[]
  /** Each is a page as it was laid out, and not made to fit. */
  readonly isFixed: boolean
  /** It is called when a chapter could not be loaded. */
  readonly onProblem: (error: unknown) => void
}

/** Chapters before and after the present one stay loaded, so that turning to them takes no time. */
const keptMax = { flowing: 5, fixed: 8 }

const xhtml = 'application/xhtml+xml'
const emptyChapter = '<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body></body></html>'
/** It is shown below the message when a chapter cannot be loaded. */
const nothing = URL.createObjectURL(new Blob([emptyChapter], { type: xhtml }))

interface Made {
  readonly address: Promise<string>
  readonly parts: string[]
}

export const openChapters = ({ book, sections, isFixed, onProblem }: ChaptersOptions): Chapters => {
  const made = new Map<number, Made>()
  const letGo = (index: number): void => {
    for (const part of made.get(index)?.parts ?? []) URL.revokeObjectURL(part)
    made.delete(index)
  }
  const make = (index: number): Made => {
    const parts: string[] = []
    const keep = (content: BlobPart, type: string): string => {
      const address = URL.createObjectURL(new Blob([content], { type }))
      parts.push(address)
      return address
    }
    const section = sections[index]
    const address = chapterOf({ book, keep, isFixed, href: section?.href ?? '', type: section?.type ?? '' })
    return { parts, address }
  }
  return {
    load: async (index) => {
      const chapter = made.get(index) ?? make(index)
      made.delete(index)
      made.set(index, chapter)
      try {
        return await chapter.address
      } catch (error) {
        letGo(index)
        onProblem(error)
        return nothing
      }
    },
    unload: () => {
      const chaptersMax = isFixed ? keptMax.fixed : keptMax.flowing
      const tooMany = [...made.keys()].slice(0, Math.max(0, made.size - chaptersMax))
      for (const index of tooMany) letGo(index)
    },
    read: async (index) => parseBookMarkup(await readFile(book, sections[index]?.href ?? '')),
    close: () => {
      for (const index of made.keys()) letGo(index)
    },
  }
}

interface Making {
  readonly book: BookFile
  readonly isFixed: boolean
  readonly href: string
  /** It stores the content in memory, and returns its address. */
  readonly keep: (content: BlobPart, type: string) => string
}

const isMarkup = (type: string): boolean => /xhtml|html/.test(type)

const chapterOf = async ({ type, ...making }: Making & { readonly type: string }): Promise<string> => {
  const { href, keep, isFixed } = making
  const isDrawing = isFixed && type === 'image/svg+xml'
  const text = isMarkup(type) || isDrawing ? await readFile(making.book, href) : undefined
  const doc = text === undefined ? picturePage(making) : isDrawing ? drawingPage(text) : parseBookMarkup(text)
  if (text !== undefined) await relinkAll(doc, making)
  return keep(new XMLSerializer().serializeToString(doc), xhtml)
}

const withoutMargin = emptyChapter.replace('<body>', '<body style="margin:0">')

/** A picture as a chapter of its own. */
const picturePage = ({ book, href }: Making): Document => {
  const doc = parseBookMarkup(withoutMargin.replace('</body>', '<img alt="" style="display:block"/></body>'))
  doc.querySelector('img')?.setAttribute('src', addressOfFile(book, href))
  return doc
}

/** A drawing as a page of its own, whose words can be found and selected. */
const drawingPage = (text: string): Document => {
  const doc = parseBookMarkup(withoutMargin)
  doc.body.append(doc.adoptNode(parseBookMarkup(text).documentElement))
  return doc
}

const relinkAll = async (doc: Document, making: Making): Promise<void> => {
  relinkPictures(doc, making)
  relinkMedia(doc, making)
  // A script sets these styles when the chapter is loaded.
  for (const element of doc.querySelectorAll('[data-carrel-style]'))
    element.setAttribute('data-carrel-style', relinkedStyles(element.getAttribute('data-carrel-style') ?? '', making))
  const sheets = [...doc.querySelectorAll('link[rel="stylesheet"], carrel-style')]
  await Promise.all(
    sheets.map(async (sheet) => {
      const media = sheet.getAttribute('media')
      const address = await sheetOf(sheet, making).catch(() => undefined)
      const isOfDrawing = sheet.closest('svg') !== null
      if ((isOfDrawing && !making.isFixed) || address === undefined) return sheet.remove()
      const link = doc.createElementNS('http://www.w3.org/1999/xhtml', 'link')
      link.setAttribute('rel', 'stylesheet')
      link.setAttribute('href', address)
      if (media !== null) link.setAttribute('media', media)
      if (isOfDrawing) doc.head.append(link)
      return isOfDrawing ? sheet.remove() : sheet.replaceWith(link)
    }),
  )
}

const sheetOf = (sheet: Element, making: Making): Promise<string | undefined> => {
  if (sheet.localName === 'carrel-style') return styleSheet(sheet.textContent ?? '', making, [])
  const target = targetOf(making.href, sheet.getAttribute('href') ?? '')
  return target?.kind === 'inside' ? styleFile(target.href, making, []) : Promise.resolve(undefined)
}

/** Style sheets import others, but not one they are imported by, and not without end. */
const sheetsMax = 6

const styleFile = async (href: string, making: Making, importedBy: readonly string[]): Promise<string | undefined> => {
  if (importedBy.includes(href) || importedBy.length >= sheetsMax) return undefined
  return styleSheet(await readFile(making.book, href), { ...making, href }, [...importedBy, href])
}

const imports = /@import\s+url\("((?:[^"\\]|\\.)*)"\)/g

const styleSheet = async (css: string, making: Making, importedBy: readonly string[]): Promise<string> => {
  const sheets = new Map<string, string | undefined>()
  for (const [, address = ''] of css.matchAll(imports)) {
    const target = targetOf(making.href, address)
    const sheet = target?.kind === 'inside' ? styleFile(target.href, making, importedBy) : undefined
    sheets.set(address, await sheet?.catch(() => undefined))
  }
  const written = relinked(fitted(css, making), (address) =>
    sheets.has(address) ? sheets.get(address) : addressIn(address, making),
  )
  return making.keep(written, 'text/css')
}

const relinkedStyles = (css: string, making: Making): string => {
  const written = fitted(css, making)
  return addressesIn(written).length === 0 ? written : relinked(written, (address) => addressIn(address, making))
}

/** A page that is laid out has a window of its own. */
const fitted = (css: string, { isFixed }: Making): string =>
  isFixed ? css : fittedStyles(css, { width: globalThis.innerWidth, height: globalThis.innerHeight })

/** Files of the book come from our server, what is written into an address from memory; nothing else is anywhere. */
const addressIn = (reference: string, { book, href, keep }: Making): string | undefined => {
  const embedded = /^data:([\w/+.-]+)(?:;[\w-]+=[\w-]+)*;base64,(.*)$/is.exec(reference)
  if (embedded) return keep(bytesOf(embedded[2] ?? ''), embedded[1] ?? '')
  const target = targetOf(href, reference)
  return target?.kind === 'inside' ? addressOfFile(book, target.href) : undefined
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64.replaceAll(/%20|\s/g, '')), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

const xlink = 'http://www.w3.org/1999/xlink'

const relinkPictures = (doc: Document, making: Making): void => {
  for (const image of doc.querySelectorAll('img[src], image')) {
    const name = image.localName === 'img' ? 'src' : 'href'
    const reference = image.getAttribute(name) ?? image.getAttributeNS(xlink, 'href')
    image.removeAttributeNS(xlink, 'href')
    const address = reference === null ? undefined : addressIn(reference, making)
    if (address === undefined) image.removeAttribute(name)
    else {
      image.setAttribute(name, address)
      image.setAttribute('data-carrel-picture', '')
    }
  }
}

/** Sound and film come from the book alone, and play when the reader says so. Without any, the text for it is shown. */
const relinkMedia = (doc: Document, making: Making): void => {
  const relink = (element: Element, name: string): boolean => {
    const reference = element.getAttribute(name)
    const address = reference === null ? undefined : addressIn(reference, making)
    element.removeAttribute(name)
    if (address !== undefined) element.setAttribute(name, address)
    return address !== undefined
  }
  for (const track of doc.querySelectorAll('track')) track.remove()
  for (const source of doc.querySelectorAll('source'))
    if (source.closest('audio, video') === null || !relink(source, 'src')) source.remove()
  for (const media of doc.querySelectorAll('audio, video')) {
    relink(media, 'poster')
    if (!relink(media, 'src') && media.querySelector('source') === null) {
      media.replaceWith(...media.childNodes)
      continue
    }
    media.removeAttribute('autoplay')
    media.setAttribute('controls', '')
    media.setAttribute('preload', 'metadata')
  }
}
