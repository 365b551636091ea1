import type { PageText, PlacedWord } from '../book-format.ts'
import { type Pdfium, whileOpen } from './pdfium.ts'

/** A page of a newspaper has five thousand. */
const wordsMax = 10_000
const charactersMax = 100_000
/** What is written without spaces is cut, so that each piece is placed where it stands. */
const wordLengthMax = 40
/** Places are counted in these parts of a page. */
const parts = 10_000

/** `left`, `top`, `right` and `bottom` in points; upwards is more. */
interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Word {
  text: string
  box: Box | undefined
  /** The space or the end of the line that follows it. */
  space: string
}

/**
 * The words of a page in the order they are read. Together they are its text: each has the space behind it, the last of
 * a line has the end of the line, and one whose hyphen only breaks the line has neither.
 */
export const readWords = (pdfium: Pdfium, page: number): PageText => {
  const { functions } = pdfium
  const text = functions.FPDFText_LoadPage(page)
  if (text === 0) return { words: [], isTruncated: false }
  return whileOpen(
    text,
    () => {
      const { words, isTruncated } = gatherWords(pdfium, text)
      return { words: words.flatMap((word) => placed(pdfium, page, word)), isTruncated }
    },
    functions.FPDFText_ClosePage,
  )
}

interface Gathered {
  readonly words: Word[]
  /** The line ends with a hyphen that is none of the word's. */
  isHyphen: boolean
}

const gatherWords = (pdfium: Pdfium, text: number): { words: Word[]; isTruncated: boolean } => {
  const all = pdfium.functions.FPDFText_CountChars(text)
  const count = Math.min(all, charactersMax)
  const gathered: Gathered = { words: [], isHyphen: false }
  for (let index = 0; index < count; index += 1) {
    const letter = letterOf(pdfium.functions.FPDFText_GetUnicode(text, index))
    if (letter === hyphen) gathered.isHyphen = true
    else if (/^\s$/.test(letter)) endWord(gathered, letter)
    else if (letter !== '') addLetter(gathered, letter, boxOf(pdfium, text, index))
    if (gathered.words.length > wordsMax) return { words: gathered.words.slice(0, wordsMax), isTruncated: true }
  }
  return { words: gathered.words, isTruncated: all > count }
}

const endWord = ({ words, isHyphen }: Gathered, space: string): void => {
  const last = words.at(-1)
  if (last && !isHyphen) last.space = space === '\n' || last.space === '\n' ? '\n' : ' '
}

const addLetter = (gathered: Gathered, letter: string, box: Box | undefined): void => {
  const last = gathered.words.at(-1)
  if (last && !gathered.isHyphen && last.space === '' && goesOn(last, box)) {
    last.text += letter
    last.box = around(last.box, box)
  } else gathered.words.push({ text: letter, box, space: '' })
  gathered.isHyphen = false
}

const hyphen = '\u0002'

/** Empty for what is no letter, space or end of a line. */
const letterOf = (code: number): string => {
  if (code === 0x02 || code === 0xff_fe) return hyphen
  if (code === 0x0a || code === 0x09) return String.fromCodePoint(code)
  if (code < 0x20 || code === 0x7f || code === 0xff_ff || code > 0x10_ff_ff) return ''
  return code > 0xff_ff ? String.fromCodePoint(code) : String.fromCharCode(code)
}

/** The box of the letter as its font makes room for it; undefined for one that is drawn nowhere. */
const boxOf = (pdfium: Pdfium, text: number, index: number): Box | undefined =>
  pdfium.lend(16, (rectangle) => {
    if (pdfium.functions.FPDFText_GetLooseCharBox(text, index, rectangle) === 0) return undefined
    const floats = pdfium.memory(rectangle, 16)
    const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => floats.readFloatLE(at))
    return right > left && top > bottom ? { left, top, right, bottom } : undefined
  })

/** The next letter of a word stands beside the others, whichever way it is written. */
const goesOn = ({ text, box }: Word, next: Box | undefined): boolean => {
  if (text.length >= wordLengthMax) return false
  if (!box || !next) return true
  const height = Math.min(box.top - box.bottom, next.top - next.bottom)
  const shared = Math.min(box.top, next.top) - Math.max(box.bottom, next.bottom)
  const apart = Math.max(next.left - box.right, box.left - next.right)
  return shared > height / 3 && apart < height
}

const around = (one: Box | undefined, other: Box | undefined): Box | undefined => {
  if (!one || !other) return one ?? other
  return {
    left: Math.min(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  }
}

/** Nothing for a word that is drawn nowhere, or on what is cut off of the page. */
const placed = (pdfium: Pdfium, page: number, { text, box, space }: Word): PlacedWord[] => {
  if (!box) return []
  const [one, other] = [shownAt(pdfium, page, box.left, box.top), shownAt(pdfium, page, box.right, box.bottom)]
  const [left, right] = extentOf(one.x, other.x)
  const [top, bottom] = extentOf(one.y, other.y)
  if (right <= left || bottom <= top) return []
  return [
    {
      text: text.toWellFormed() + space,
      left: left / parts,
      top: top / parts,
      width: (right - left) / parts,
      height: (bottom - top) / parts,
    },
  ]
}

/** What of it is on the page. */
const extentOf = (one: number, other: number): readonly [number, number] => [
  Math.min(parts, Math.max(0, Math.min(one, other))),
  Math.min(parts, Math.max(0, Math.max(one, other))),
]

/** Where a point is seen, on a page that may be turned or cut. */
const shownAt = (pdfium: Pdfium, page: number, x: number, y: number): { readonly x: number; readonly y: number } =>
  pdfium.lend(8, (point) => {
    pdfium.functions.FPDF_PageToDevice(page, 0, 0, parts, parts, 0, x, y, point, point + 4)
    const integers = pdfium.memory(point, 8)
    return { x: integers.readInt32LE(0), y: integers.readInt32LE(4) }
  })
