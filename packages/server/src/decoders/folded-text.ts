import { spellOut } from '../platform/letters.ts'

/** Text as words are looked for in it, with where each of its characters stands in the original. */
export interface FoldedText {
  readonly text: string
  /** One more than there are characters: where the original ends. */
  readonly places: Uint32Array
}

/** Case and accents are removed, and any run of white space becomes one space. */
export const foldText = (original: string): FoldedText => {
  const folded: string[] = []
  const places: number[] = []
  let at = 0
  let isAfterSpace = false
  for (const sign of original) {
    const isSpace = /\s/.test(sign)
    const plain = isSpace ? (isAfterSpace ? '' : ' ') : foldSign(sign)
    for (const unit of plain.split('')) {
      folded.push(unit)
      places.push(at)
    }
    isAfterSpace = isSpace
    at += sign.length
  }
  return { text: folded.join(''), places: Uint32Array.from([...places, at]) }
}

const foldSign = (sign: string): string =>
  sign < '\u0080' ? sign.toLowerCase() : spellOut(sign.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase())

/** It finds where words that are already folded stand in a text, each place once and none within another. */
export function* findFolded(text: string, wanted: string): Generator<{ readonly from: number; readonly to: number }> {
  const { text: folded, places } = foldText(text)
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length
    yield { from: places[at] ?? 0, to: places[end] ?? text.length }
  }
}
