/** A position in texts that stand one after the other. */
interface TextPoint {
  readonly text: number
  readonly offset: number
}

export interface TextSpan {
  readonly start: TextPoint
  readonly end: TextPoint
}

export interface Quote {
  readonly before?: string | undefined
  readonly match: string
  readonly after?: string | undefined
}

/** Space is not compared: one who writes down a text breaks its lines otherwise, and between blocks there may be none. */
const packed = (text: string): string => text.replaceAll(/\s+/g, '')

/**
 * It finds a quote in texts: the position whose surroundings fit best, and of several the one nearest to `near`, a share
 * of the whole.
 */
export const findQuote = (texts: readonly string[], quote: Quote, near = 0): TextSpan | undefined => {
  const match = packed(quote.match)
  if (match === '') return undefined
  const all = packed(texts.join(''))
  const [before, after] = [packed(quote.before ?? ''), packed(quote.after ?? '')]
  let best: { position: number; score: number } | undefined
  for (let position = all.indexOf(match); position >= 0; position = all.indexOf(match, position + 1)) {
    const fits = alikeAtEnd(all.slice(Math.max(0, position - before.length), position), before)
    const follows = alikeAtStart(all.slice(position + match.length, position + match.length + after.length), after)
    const score = fits + follows - Math.abs(position / all.length - near)
    if (!best || score > best.score) best = { position, score }
  }
  if (!best) return undefined
  return { start: pointAt(texts, best.position), end: behind(pointAt(texts, best.position + match.length - 1)) }
}

const behind = ({ text, offset }: TextPoint): TextPoint => ({ text, offset: offset + 1 })

const alikeAtStart = (one: string, other: string): number => {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1
  return count
}

const alikeAtEnd = (one: string, other: string): number => {
  let count = 0
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count)) count += 1
  return count
}

/** It finds the letter with this number, not counting spaces. */
const pointAt = (texts: readonly string[], letter: number): TextPoint => {
  let left = letter
  for (const [text, content] of texts.entries()) {
    const letters = packed(content).length
    if (left >= letters) {
      left -= letters
      continue
    }
    for (let offset = 0; offset < content.length; offset += 1) {
      if (/\s/.test(content[offset] ?? '')) continue
      if (left === 0) return { text, offset }
      left -= 1
    }
  }
  return { text: Math.max(0, texts.length - 1), offset: texts.at(-1)?.length ?? 0 }
}
