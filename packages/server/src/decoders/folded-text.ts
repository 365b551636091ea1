import { spellOut } from '../platform/text/letters.ts'

/** Text as words are looked for in it, with where each of its characters stands in the original. */
export interface FoldedText {
  readonly text: string
  /** One more than there are characters: where the original ends. */
  readonly positions: Uint32Array
}

/** Case and accents are removed, and any run of white space becomes one space. */
export const foldText = (original: string): FoldedText => {
  const folded: string[] = []
  const positions: number[] = []
  let position = 0
  let isAfterSpace = false
  for (const sign of original) {
    const isSpace = /\s/.test(sign)
    const plain = isSpace ? (isAfterSpace ? '' : ' ') : foldSign(sign)
    for (const unit of plain.split('')) {
      folded.push(unit)
      positions.push(position)
    }
    isAfterSpace = isSpace
    position += sign.length
  }
  return { text: folded.join(''), positions: Uint32Array.from([...positions, position]) }
}

const foldSign = (sign: string): string =>
  sign < '\u0080' ? sign.toLowerCase() : spellOut(sign.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase())

/** It finds where words that are already folded stand in a text, each place once and none within another. */
export function* findFolded(text: string, words: string): Generator<{ readonly from: number; readonly to: number }> {
  const { text: folded, positions } = foldText(text)
  for (let position = folded.indexOf(words); position >= 0; position = folded.indexOf(words, position + words.length)) {
    const end = position + words.length
    yield { from: positions[position] ?? 0, to: positions[end] ?? text.length }
  }
}
