import type { Statement } from './connection.ts'

const shortest = 16
const longest = 16_384
const list = new RegExp(String.raw`\bin \((\?(?:, \?){${shortest - 1},})\)`, 'g')

/**
 * It makes long lists of `in` as long as the next power of two, by more of their last value, which changes nothing.
 * Every length is a statement of its own, which is prepared and takes memory until it is collected: so there are few.
 */
export const withEvenLists = ({ sql, parameters }: Statement): Statement => {
  if (parameters.length < shortest) return { sql, parameters }
  const values: unknown[] = []
  let text = ''
  let position = 0
  let taken = 0
  const take = (count: number): void => {
    values.push(...parameters.slice(taken, taken + count))
    taken += count
  }
  for (const { index, 0: matched, 1: marks = '' } of sql.matchAll(list)) {
    const before = sql.slice(position, index)
    take(marksIn(before))
    const length = marksIn(marks)
    take(length)
    const more = length > longest ? 0 : 2 ** Math.ceil(Math.log2(length)) - length
    for (let count = 0; count < more; count += 1) values.push(values.at(-1))
    text += `${before}in (${marks}${', ?'.repeat(more)})`
    position = index + matched.length
  }
  const rest = sql.slice(position)
  take(marksIn(rest))
  // A question mark that stands for no parameter: then it is better left alone.
  return taken === parameters.length ? { sql: text + rest, parameters: values } : { sql, parameters }
}

const marksIn = (text: string): number => {
  let count = 0
  for (let position = text.indexOf('?'); position !== -1; position = text.indexOf('?', position + 1)) count += 1
  return count
}
