import { readdirSync, readFileSync } from 'node:fs'

/** A way in which people keep their books: paths, and what a person has written down that they are. */
export interface Layout {
  readonly name: string
  readonly paths: readonly string[]
  readonly expected: readonly ExpectedBook[]
}

interface ExpectedBook {
  readonly path: string
  /** Books with the same are in the same series; behind an `@` stands what tells apart those that are called alike. */
  readonly series: string
  readonly volume: number | null
  readonly number: number | null
  readonly title: string | null
  /** The name of the file beside it that is the same book in another format, and better to read. */
  readonly formatOf: string | null
}

/** `known`: what advice and policies were made with. `held-back`: what they never saw. */
export const readLayouts = (table: 'known' | 'held-back'): readonly Layout[] => {
  const folder = new URL(`${table}/`, import.meta.url)
  const names = readdirSync(folder).flatMap((name) => /^(.+)\.paths\.txt$/.exec(name)?.[1] ?? [])
  return names.sort().flatMap((name) => {
    const [paths, expected] = ['paths', 'expected'].map((kind) =>
      variantsIn(readFileSync(new URL(`${name}.${kind}.txt`, folder), 'utf8')),
    )
    return [...(paths ?? [])].map(([variant, lines]) => ({
      name: `${name}: ${variant}`,
      paths: lines.flatMap(expand),
      expected: (expected?.get(variant) ?? []).flatMap(expand).map(expectedBook),
    }))
  })
}

const variantsIn = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text.split(/^# /m).flatMap((part) => {
      const [variant = '', ...lines] = part.split('\n').filter((line) => line.trim() !== '')
      return lines.length === 0 ? [] : [[variant, lines] as const]
    }),
  )

/** `{01..10}` and `{a,b,c}` are one after the other, all of a line in step. */
const expand = (line: string): readonly string[] => {
  const sets = [...line.matchAll(/\{([^{}]+)\}/g)].map(([, inside = '']) => valuesOf(inside))
  const length = sets[0]?.length ?? 1
  if (sets.some((values) => values.length !== length)) throw new Error(`Not all are as long as the first: ${line}`)
  return Array.from({ length }, (_, step) => {
    let at = 0
    return line.replaceAll(/\{[^{}]+\}/g, () => sets[at++]?.[step] ?? '')
  })
}

const valuesOf = (inside: string): readonly string[] => {
  const [, first = '', last = ''] = /^(\w+)\.\.(\w+)$/.exec(inside) ?? []
  if (first === '') return inside.split(',')
  const isLetter = /^[A-Z]$/.test(first)
  const [from, to] = isLetter ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(first), Number(last)]
  return Array.from({ length: to - from + 1 }, (_, step) =>
    isLetter ? String.fromCharCode(from + step) : String(from + step).padStart(first.length, '0'),
  )
}

const expectedBook = (line: string): ExpectedBook => {
  const [series = '', path = '', says = ''] = line.split('|').map((part) => part.trim())
  const values = new Map(
    says.split(';').map((each) => {
      const [field = '', ...value] = each.trim().split(' ')
      return [field, value.join(' ')] as const
    }),
  )
  const number = (field: string): number | null => (values.has(field) ? Number(values.get(field)) : null)
  return {
    path,
    series,
    volume: number('volume'),
    number: number('number'),
    title: values.get('title') ?? null,
    formatOf: values.get('of') ?? null,
  }
}
