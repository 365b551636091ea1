import { BookFault, type OutlineEntry } from '../book-format.ts'
import type { FlowingChapter } from '../flowing/content.ts'
import { once } from '../flowing/lazily.ts'
import { ifSound } from '../if-sound.ts'
import { bookLimits } from '../limits.ts'
import { type Anchor, withAnchors } from './anchors.ts'
import { slice, startsWith, u32 } from './bytes.ts'
import { readContents } from './contents-index.ts'
import type { FlowingText, MobiParts } from './parts.ts'
import { assemble, readSkeletons, type Skeleton, type Skeletons } from './skeletons.ts'
import { readText } from './text.ts'

/** The younger kind is an EPUB taken to pieces: chapters in fragments, style sheets and drawings as flows of their own. */
export const readKf8 = (parts: MobiParts): FlowingText => {
  const { database, first, header, resources } = parts
  const text = readText(database, first, header)
  const flows = flowsOf(parts, text)
  const skeletons = readSkeletons(database, first, header.kf8)
  if (skeletons.chapters.some(({ start, size }) => start + size > text.length))
    throw new BookFault('damaged', 'A chapter of the book is cut off')
  const outline = once(() => outlineOf(parts, skeletons))
  const anchors = once(() => anchorsIn(skeletons, [...linkTargets(flows[0] ?? text), ...outline().targets]))
  const decoder = new TextDecoder(header.encoding)
  const inBook = (written: string): string =>
    written.replaceAll(address, (...match) => nameOf(match, { skeletons, flows, parts }))
  const markup = (chapter: Skeleton): string => {
    const chapterBytes = assemble(text, chapter)
    const page = withAnchors(chapterBytes, anchors().get(chapter) ?? [], bodyStart(chapterBytes))
    return withViewport(inBook(decoder.decode(page)), parts)
  }
  const names = flows.map(flowName)
  return {
    heldBytes: text.length,
    chapters: skeletons.chapters.map((chapter): FlowingChapter => ({
      name: chapter.name,
      size: chapter.size,
      isLinear: true,
      markup: () => markup(chapter),
    })),
    outline: () => outline().entries,
    resources: () => [
      ...names.slice(1).map((href) => ({ href, mediaType: href.endsWith('.css') ? 'text/css' : 'image/svg+xml' })),
      ...resources.all(),
    ],
    readResource: (name) => {
      const flow = flows[names.indexOf(name, 1)]
      if (flow === undefined) return resources.read(name)
      if (flow.length > bookLimits.chapterBytes)
        throw new BookFault('limit', `A part of the book has more than ${bookLimits.chapterBytes} bytes`)
      return Buffer.from(inBook(decoder.decode(flow)))
    },
  }
}

/** It splits the text into its flows: the first holds the chapters. */
const flowsOf = ({ database, first, header }: MobiParts, text: Buffer): readonly Buffer[] => {
  if (header.kf8.flows === undefined) return [text]
  const table = database.read(first + header.kf8.flows)
  if (!startsWith(table, 'FDST')) return [text]
  const [position, count] = [u32(table, 4), u32(table, 8)]
  if (count > bookLimits.entries) throw new BookFault('limit', `The book has more than ${bookLimits.entries} parts`)
  return Array.from({ length: count }, (_, index) => {
    const start = u32(table, position + 8 * index)
    return slice(text, start, u32(table, position + 8 * index + 4) - start)
  })
}

const flowName = (flow: Buffer, index: number): string => {
  const isDrawing = /^\s*</.test(flow.toString('latin1', 0, 256))
  return `flow${String(index).padStart(4, '0')}.${isDrawing ? 'svg' : 'css'}`
}

const digits = '[0-9A-V]'
const positionAddress = `kindle:pos:fid:(${digits}{4,6}):off:(${digits}{1,10})`
const address = new RegExp(
  String.raw`(?:${positionAddress}|kindle:(embed|flow):(${digits}{1,6}))(?:\?mime=[\w./+-]{0,64})?`,
  'gi',
)

interface FragmentPosition {
  readonly fragment: number
  readonly offset: number
}

const number32 = (written: string): number => Number.parseInt(written, 32)

const nameOf = (
  [matched, fragment, offset, kind, number]: readonly (string | number)[],
  { skeletons, flows, parts }: { skeletons: Skeletons; flows: readonly Buffer[]; parts: MobiParts },
): string => {
  if (typeof fragment === 'string' && typeof offset === 'string')
    return addressOf(skeletons, { fragment: number32(fragment), offset: number32(offset) }) ?? '#'
  const index = number32(String(number))
  const flow = flows[index]
  const name =
    String(kind).toLowerCase() === 'embed'
      ? parts.resources.nameOf(index)
      : flow !== undefined && index > 0
        ? flowName(flow, index)
        : undefined
  // It stays what no sanitiser lets pass.
  return name ?? String(matched)
}

const addressOf = ({ fragmentStarts }: Skeletons, { fragment, offset }: FragmentPosition): string | undefined => {
  const target = fragmentStarts[fragment]
  if (target === undefined) return undefined
  const { chapter, position } = target
  // The position of the first words of a chapter is its beginning.
  const isBeginning = offset === 0 && position === chapter.fragments[0]?.position
  return isBeginning ? chapter.name : `${chapter.name}#${idOf({ fragment, offset })}`
}

const idOf = ({ fragment, offset }: FragmentPosition): string => `at-${fragment}-${offset}`

const linkTargets = (chapters: Buffer): FragmentPosition[] => {
  const targets: FragmentPosition[] = []
  for (const [, fragment = '', offset = ''] of chapters
    .toString('latin1')
    .matchAll(new RegExp(positionAddress, 'gi'))) {
    if (targets.length >= bookLimits.anchors) break
    targets.push({ fragment: number32(fragment), offset: number32(offset) })
  }
  return targets
}

const anchorsIn = (
  { fragmentStarts }: Skeletons,
  targets: readonly FragmentPosition[],
): ReadonlyMap<Skeleton, Anchor[]> => {
  const byId = new Map(targets.map((target) => [idOf(target), target]))
  const anchors = new Map<Skeleton, Anchor[]>()
  for (const [id, { fragment, offset }] of byId) {
    const target = fragmentStarts[fragment]
    if (target === undefined) continue
    const anchor = { position: target.position + offset, id }
    const chapterAnchors = anchors.get(target.chapter)
    if (chapterAnchors) chapterAnchors.push(anchor)
    else anchors.set(target.chapter, [anchor])
  }
  return anchors
}

const outlineOf = (
  { database, first, header }: MobiParts,
  skeletons: Skeletons,
): { readonly entries: readonly OutlineEntry[]; readonly targets: readonly FragmentPosition[] } => {
  const targets: FragmentPosition[] = []
  const { contents, encoding } = header
  if (contents === undefined) return { entries: [], targets }
  const entries = ifSound(() =>
    readContents(database, first + contents, {
      encoding,
      addressOf: ({ fragment, offset }) => {
        if (fragment === undefined) return undefined
        targets.push({ fragment, offset })
        return addressOf(skeletons, { fragment, offset })
      },
    }),
  )
  return { entries: entries ?? [], targets }
}

/** Nothing is put into the head of a page. */
const bodyStart = (page: Buffer): number => {
  const [bodyTag] = /<body\b[^>]{0,4096}>/i.exec(page.toString('latin1', 0, 64 * 1024)) ?? []
  return bodyTag === undefined ? 0 : page.indexOf(bodyTag, 0, 'latin1') + bodyTag.length
}

const originalResolution = 307

/** The size of the pages of a fixed layout stands once for the whole book. */
const withViewport = (page: string, { exth }: MobiParts): string => {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(exth.texts(originalResolution)[0]?.trim() ?? '') ?? []
  if (width === undefined || /<meta\b[^<>]{0,200}viewport/i.test(page)) return page
  return page.replace(/<\/head>/i, `<meta name="viewport" content="width=${width}, height=${height}"/></head>`)
}
