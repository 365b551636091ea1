import type { OutlineEntry } from '../book-format.ts'
import type { FlowingChapter } from '../flowing/content.ts'
import { once } from '../flowing/lazily.ts'
import { type Cut, partsBetween, tagsOf, wordsOf } from '../flowing/tags.ts'
import { ifSound } from '../if-sound.ts'
import { bookLimits } from '../limits.ts'
import { cleanLine } from '../metadata/clean-text.ts'
import { type Anchor, withAnchors } from './anchors.ts'
import { readContents } from './contents-index.ts'
import type { FlowingText, MobiParts } from './parts.ts'
import { readText } from './text.ts'

/** The text of a MOBI is one page of old HTML, whose links name bytes of it. It is cut where its maker broke pages. */
export const readMobi6 = (parts: MobiParts): FlowingText => {
  const { header, resources } = parts
  const text = readText(parts.database, parts.first, header)
  const signs = text.toString('latin1')
  const chapters = chaptersOf(signs)
  const addressOf = addressIn(chapters)
  const contents = once(() => contentsOf(parts, addressOf) ?? outlineOfPage(signs, chapters, addressOf))
  const anchors = once(() => anchorsIn(chapters, [...linkTargets(signs), ...contents().positions]))
  const decoder = new TextDecoder(header.encoding)
  const markup = (chapter: Chapter): string => {
    const own = anchors().get(chapter) ?? []
    const bytes = withAnchors(text.subarray(chapter.start, chapter.end), own)
    const rewritten = bytes.toString('latin1').replaceAll(tag, (written) => rewrite(written, { addressOf, resources }))
    return decoder.decode(Buffer.from(rewritten, 'latin1'))
  }
  return {
    // Twice: as bytes, and as the signs that are looked through.
    heldBytes: 2 * text.length,
    chapters: chapters.map((chapter): FlowingChapter => ({
      name: chapter.name,
      size: chapter.end - chapter.start,
      isLinear: true,
      markup: () => markup(chapter),
    })),
    outline: () => contents().outline,
    resources: () => resources.all(),
    readResource: (name) => resources.read(name),
  }
}

interface Chapter {
  readonly name: string
  readonly start: number
  readonly end: number
}

const pageBreak = /<(?:\w{1,16}:)?pagebreak\b[^<>]{0,200}>/gi

const chaptersOf = (signs: string): readonly Chapter[] => {
  const parts = partsBetween(signs, 0, pageBreaksIn(signs))
  const shown = parts.length > 0 ? parts : [{ start: 0, end: signs.length }]
  return shown.map((part, index) => ({ ...part, name: `part${String(index + 1).padStart(4, '0')}.xhtml` }))
}

function* pageBreaksIn(signs: string): Generator<Cut> {
  for (const { index, 0: matched } of signs.matchAll(pageBreak)) yield { end: index, next: index + matched.length }
  yield { end: signs.length, next: signs.length }
}

/** A guide stands in the head. */
const guideSearchMax = 64 * 1024

type AddressOf = (position: number) => string

const addressIn =
  (chapters: readonly Chapter[]): AddressOf =>
  (position) => {
    const chapter = chapterAt(chapters, position)
    const name = chapter?.name ?? ''
    return chapter === undefined || position <= chapter.start ? name : `${name}#${idOf(position)}`
  }

const idOf = (position: number): string => `filepos${position}`

/** The first that ends behind it: a place in a page break is the beginning of what follows. */
const chapterAt = (chapters: readonly Chapter[], position: number): Chapter | undefined => {
  let [low, high] = [0, chapters.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chapters[middle]?.end ?? 0) > position) high = middle
    else low = middle + 1
  }
  return chapters[low]
}

const linkTargets = (signs: string): number[] => {
  const targets: number[] = []
  for (const [, digits] of signs.matchAll(/\sfilepos\s{0,9}=\s{0,9}["']?(\d{1,10})/gi)) {
    if (targets.length >= bookLimits.anchors) break
    targets.push(Number(digits))
  }
  return targets
}

const anchorsIn = (chapters: readonly Chapter[], positions: readonly number[]): ReadonlyMap<Chapter, Anchor[]> => {
  const anchors = new Map<Chapter, Anchor[]>()
  for (const position of new Set(positions)) {
    const chapter = chapterAt(chapters, position)
    if (chapter === undefined || position <= chapter.start) continue
    const anchor = { position: position - chapter.start, id: idOf(position) }
    const chapterAnchors = anchors.get(chapter)
    if (chapterAnchors) chapterAnchors.push(anchor)
    else anchors.set(chapter, [anchor])
  }
  return anchors
}

interface Contents {
  readonly outline: readonly OutlineEntry[]
  readonly positions: readonly number[]
}

const contentsOf = ({ database, first, header }: MobiParts, addressOf: AddressOf): Contents | undefined => {
  const { contents, encoding } = header
  if (contents === undefined) return undefined
  const positions: number[] = []
  const outline = ifSound(() =>
    readContents(database, first + contents, {
      encoding,
      addressOf: ({ position }) => {
        if (position === undefined) return undefined
        positions.push(position)
        return addressOf(position)
      },
    }),
  )
  return outline === undefined || outline.length === 0 ? undefined : { outline, positions }
}

/** Older books have a page of contents instead, which the guide at the beginning names. */
const outlineOfPage = (signs: string, chapters: readonly Chapter[], addressOf: AddressOf): Contents => {
  const [guide] =
    /<reference\b[^<>]{0,400}\btype\s{0,9}=\s{0,9}["']?toc\b[^<>]{0,400}>/i.exec(signs.slice(0, guideSearchMax)) ?? []
  const position = fileposIn(guide ?? '')
  const page = position === undefined ? undefined : chapterAt(chapters, position)
  const outline: OutlineEntry[] = []
  const positions: number[] = []
  let link: { readonly target: number; readonly from: number } | undefined
  const written = page === undefined ? '' : signs.slice(page.start, page.end)
  for (const { name, isEnd, start, end, source } of tagsOf(written)) {
    if (name !== 'a') continue
    const title = link && isEnd ? cleanLine(wordsOf(written.slice(link.from, start))) : undefined
    if (link && title !== undefined && outline.length < bookLimits.pages) {
      outline.push({ title, href: addressOf(link.target), children: [] })
      positions.push(link.target)
    }
    const target = isEnd ? undefined : fileposIn(source)
    link = target === undefined ? undefined : { target, from: end }
  }
  return { outline, positions }
}

const fileposIn = (source: string): number | undefined => {
  const [, digits] = /\sfilepos\s{0,9}=\s{0,9}["']?(\d{1,10})/i.exec(source) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const tag = /<(?:a|img|p|div|blockquote|li|center|h[1-6])\s[^<>]{0,4096}>/gi

/** Markup that only these books have becomes HTML: links, pictures, space before and in paragraphs. */
const rewrite = (
  written: string,
  { addressOf, resources }: { addressOf: AddressOf } & Pick<MobiParts, 'resources'>,
): string => {
  if (/^<a\s/i.test(written)) {
    const target = fileposIn(written)
    if (target === undefined) return written
    return written.replace(/\sfilepos\s{0,9}=\s{0,9}["']?\d{1,10}["']?/i, ` href="${addressOf(target)}"`)
  }
  if (/^<img\s/i.test(written)) return rewritePicture(written, resources)
  return rewriteSpace(written)
}

const pictureNumber = (written: string, name: string): number =>
  Number(new RegExp(String.raw`\s${name}\s{0,9}=\s{0,9}["']?(\d{1,6})`, 'i').exec(written)?.[1])

const rewritePicture = (written: string, resources: MobiParts['resources']): string => {
  const names = ['hirecindex', 'recindex', 'lowrecindex'].map((name) => resources.nameOf(pictureNumber(written, name)))
  const name = names.find((each) => each !== undefined)
  if (name === undefined) return written
  const rest = written.replaceAll(/\s(?:(?:hi|low)?recindex|src)\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*'|[^\s"'<>/]+)/gi, '')
  return `<img src="${name}"${rest.slice('<img'.length)}`
}

const rewriteSpace = (written: string): string => {
  if (/\sstyle\s{0,9}=/i.test(written)) return written
  const styles = [
    ['height', 'margin-top'],
    ['width', 'text-indent'],
  ].flatMap(([name, property]) => {
    const pattern = String.raw`\s${name}\s{0,9}=\s{0,9}["']?(-?\d{1,4}(?:\.\d{1,4})?(?:em|pt|px|%)?)["'\s/>]`
    const [, length] = new RegExp(pattern, 'i').exec(written) ?? []
    if (length === undefined) return []
    return [`${property}:${/\d$/.test(length) ? `${length}px` : length}`]
  })
  const rest = written.replaceAll(/\s(?:height|width)\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*'|[^\s"'<>/]+)/gi, '')
  return styles.length === 0 ? rest : rest.replace(/^<\w+/, (start) => `${start} style="${styles.join(';')}"`)
}
