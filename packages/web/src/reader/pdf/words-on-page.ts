import type { PageWord } from '@carrel/api'
import { folded } from '../../text/marked.ts'

/** A word of a page as it is laid over the picture of it. Numbers are shares of the page. */
export interface WordOnPage {
  readonly text: string
  /** What comes with it when it is copied: a space, the end of a line, or nothing where a hyphen breaks the word. */
  readonly space: string
  readonly isRightToLeft: boolean
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** It reaches to the word behind it, so that a selection has no gaps. */
  readonly reach: number
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

export const wordsOnPage = (words: readonly PageWord[]): WordOnPage[] =>
  words.map(({ text, left, top, width, height }, index) => {
    const word = text.trimEnd()
    const isRightToLeft = rightToLeft.test(word)
    const next = words[index + 1]
    const isBeside = next !== undefined && text.endsWith(' ') && isOfLine(words[index], next)
    const gap = isBeside ? (isRightToLeft ? left - (next.left + next.width) : next.left - (left + width)) : 0
    // A word in another language in between may lie the other way.
    const reach = width + (gap > 0 && gap < height * 4 ? gap : 0)
    return { text: word, space: text.slice(word.length), isRightToLeft, left, top, width, height, reach }
  })

const isOfLine = (one: PageWord | undefined, { top, height }: PageWord): boolean =>
  one !== undefined && Math.min(one.top + one.height, top + height) - Math.max(one.top, top) > height / 3

/** A part of a word, in characters. */
export interface PartOfWord {
  readonly word: number
  readonly from: number
  readonly to: number
}

/** It finds text on a page as the server finds it: without case and accents, any space as one. */
export const findOnPage = (words: readonly WordOnPage[], query: string): readonly (readonly PartOfWord[])[] => {
  const needle = folded(query).trim().replaceAll(/\s+/g, ' ')
  if (needle === '') return []
  const letters = lettersOf(words)
  const text = letters.map(({ letter }) => letter).join('')
  const matches: (readonly PartOfWord[])[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
    matches.push(partsOf(letters.slice(at, at + needle.length)))
  return matches
}

interface Letter {
  /** One unit of the folded text. */
  readonly letter: string
  readonly word: number
  /** Where its character begins and ends in the word; both are the same for a space, which belongs to none. */
  readonly from: number
  readonly to: number
}

const lettersOf = (words: readonly WordOnPage[]): Letter[] => {
  const letters: Letter[] = []
  for (const [word, { text, space }] of words.entries()) {
    let from = 0
    for (const sign of text) {
      const to = from + sign.length
      for (const letter of folded(sign).split('')) letters.push({ letter, word, from, to })
      from = to
    }
    if (space !== '') letters.push({ letter: ' ', word, from, to: from })
  }
  return letters
}

const partsOf = (letters: readonly Letter[]): PartOfWord[] => {
  const parts: PartOfWord[] = []
  for (const { word, from, to } of letters) {
    const last = parts.at(-1)
    if (from === to) continue
    if (last?.word === word) parts[parts.length - 1] = { word, from: last.from, to }
    else parts.push({ word, from, to })
  }
  return parts
}
