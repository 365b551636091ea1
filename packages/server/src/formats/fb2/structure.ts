import { BookFault, type OutlineEntry } from '../book-format.ts'
import { attributeOf, partsBetween, type Tag, tagsOf, wordsOf } from '../flowing/tags.ts'
import { bookLimits } from '../limits.ts'
import { cleanLine } from '../metadata/clean-text.ts'

/** It holds the parts of a FictionBook, by their positions in its text. */
export interface Structure {
  readonly description: string | undefined
  readonly chapters: readonly FictionChapter[]
  readonly sections: readonly Section[]
  /** It holds the position in the text of each id. */
  readonly ids: ReadonlyMap<string, number>
  /** It ends as it should. */
  readonly isWhole: boolean
}

/** A part of the text that is shown as one page. */
export interface FictionChapter {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly isNotes: boolean
}

interface Section {
  readonly id: string
  readonly start: number
  end: number
  title: string | undefined
  readonly body: Body
  readonly children: Section[]
}

interface Body {
  readonly start: number
  end: number
  readonly isNotes: boolean
  readonly sections: Section[]
}

interface Reading {
  readonly text: string
  readonly bodies: Body[]
  readonly open: Section[]
  readonly sections: Section[]
  readonly ids: Map<string, number>
  description: { start: number; end: number | undefined } | undefined
  /** The text of a title begins at `from`. */
  title: { readonly of: Section | undefined; readonly from: number } | undefined
  isWhole: boolean
}

/** It throws a `BookFault` when there is nothing to read. */
export const readStructure = (text: string): Structure => {
  const reading: Reading = {
    text,
    bodies: [],
    open: [],
    sections: [],
    ids: new Map(),
    description: undefined,
    title: undefined,
    isWhole: false,
  }
  for (const tag of tagsOf(text)) readTag(reading, tag)
  const { bodies, ids, sections, isWhole, description } = reading
  if (bodies.length === 0) throw new BookFault('damaged', 'The FictionBook breaks off before its text')
  const ranges = bodies.flatMap((body, index) => rangesOf(text, body, index > 0))
  if (ranges.length === 0) throw new BookFault('empty', 'The FictionBook has no text')
  const chapters = ranges.map((range, index) => ({ ...range, name: `part${String(index + 1).padStart(4, '0')}.xhtml` }))
  const { start, end } = description ?? {}
  return { description: end === undefined ? undefined : text.slice(start, end), chapters, sections, ids, isWhole }
}

const readTag = (reading: Reading, tag: Tag): void => {
  const { ids, text } = reading
  const body = reading.bodies.at(-1)
  const isInBody = body !== undefined && body.end === text.length
  if (tag.name === 'fictionbook') reading.isWhole ||= tag.isEnd
  else if (tag.name === 'description' && body === undefined) readDescription(reading, tag)
  else if (tag.name === 'body') readBody(reading, tag, body)
  else if (isInBody && tag.name === 'section') readSection(reading, tag, body)
  else if (isInBody && tag.name === 'title') readTitle(reading, tag)
  if (!isInBody || tag.isEnd) return
  const id = attributeOf(tag, 'id')
  if (id !== undefined && !ids.has(id) && ids.size < bookLimits.anchors) ids.set(id, tag.start)
}

const readDescription = (reading: Reading, { isEnd, start, end }: Tag): void => {
  if (!isEnd) reading.description ??= { start, end: undefined }
  else if (reading.description) reading.description.end = end
}

const notes = /^(?:notes|comments|footnotes)$/i

const readBody = (reading: Reading, tag: Tag, current: Body | undefined): void => {
  const { bodies, open, text } = reading
  if (tag.isEmpty) return
  for (const section of open.splice(0)) section.end = tag.start
  if (current && current.end === text.length) current.end = tag.start
  if (tag.isEnd) return
  if (bodies.length >= bodiesMax) throw new BookFault('limit', `The FictionBook has more than ${bodiesMax} bodies`)
  const isNotes = notes.test(attributeOf(tag, 'name')?.trim() ?? '')
  bodies.push({ start: tag.end, end: text.length, isNotes, sections: [] })
}

const bodiesMax = 1000

const readSection = (reading: Reading, tag: Tag, body: Body): void => {
  const { open, sections, text } = reading
  if (tag.isEnd) {
    const closed = open.pop()
    if (closed) closed.end = tag.end
    return
  }
  if (tag.isEmpty) return
  if (open.length >= bookLimits.xmlDepth)
    throw new BookFault('limit', `The sections of the book are nested deeper than ${bookLimits.xmlDepth}`)
  if (sections.length >= bookLimits.anchors)
    throw new BookFault('limit', `The book has more than ${bookLimits.anchors} sections`)
  const section: Section = {
    id: attributeOf(tag, 'id') ?? `section-${sections.length + 1}`,
    start: tag.start,
    end: text.length,
    title: undefined,
    body,
    children: [],
  }
  const siblings = open.at(-1)?.children ?? body.sections
  siblings.push(section)
  sections.push(section)
  open.push(section)
}

/** A longer text is no title. */
const titleMax = 16 * 1024

const readTitle = (reading: Reading, { isEnd, start, end }: Tag): void => {
  if (!isEnd) {
    reading.title = { of: reading.open.at(-1), from: end }
    return
  }
  const { title } = reading
  reading.title = undefined
  if (title?.of && title.of.title === undefined)
    title.of.title = cleanLine(wordsOf(reading.text.slice(title.from, Math.min(start, title.from + titleMax))))
}

/** A section that is longer than this and has sections of its own is cut into them. */
const cutFrom = 32 * 1024

type Range = Omit<FictionChapter, 'name'>

const rangesOf = (text: string, body: Body, isLater: boolean): Range[] => {
  const { start, end, sections } = body
  const isNotes = isLater && body.isNotes
  const cuts = isNotes ? [] : sections.flatMap((section) => [section.start, ...cutsIn(section)])
  const ends = [...cuts, end].map((position) => ({ end: position, next: position }))
  return partsBetween(text, start, ends).map((range) => ({ ...range, isNotes }))
}

const cutsIn = ({ start, end, children }: Section): number[] =>
  end - start > cutFrom ? children.map((child) => child.start) : []

/** The chapter a place of the text is in. */
export const chapterAt = (chapters: readonly FictionChapter[], offset: number): FictionChapter | undefined => {
  let [low, high] = [0, chapters.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chapters[middle]?.end ?? 0) > offset) high = middle
    else low = middle + 1
  }
  return chapters[low]
}

/** Sections that have a title, one within the other; notes are found by their marks alone. */
export const outlineOf = ({ chapters, sections }: Structure): readonly OutlineEntry[] => {
  const first = new Map<FictionChapter, Section>()
  for (const section of sections) {
    const chapter = chapterAt(chapters, section.start)
    if (chapter !== undefined && !first.has(chapter)) first.set(chapter, section)
  }
  const entriesOf = (section: Section): OutlineEntry[] => {
    const children = section.children.flatMap(entriesOf)
    const chapter = chapterAt(chapters, section.start)
    if (section.title === undefined || chapter === undefined) return children
    const fragment = first.get(chapter) === section ? '' : `#${section.id}`
    return [{ title: section.title, href: chapter.name + encodeURI(fragment.toWellFormed()), children }]
  }
  const bodies = new Set(sections.map(({ body }) => body))
  return [...bodies].filter(({ isNotes }) => !isNotes).flatMap((body) => body.sections.flatMap(entriesOf))
}
