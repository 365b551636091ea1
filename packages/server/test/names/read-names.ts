import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { BookName } from '../../src/naming/book-name.ts'

/** A name from a real library, or shaped like one, and what it says. */
export interface NamedExample {
  readonly name: string
  readonly says: BookName
}

/** `demanded`: what the rules were asked for. `known`: what they were made with. `held-back`: what they never saw. */
export const readNames = (table: 'demanded' | 'known' | 'held-back'): readonly NamedExample[] =>
  readFileSync(new URL(`${table}.tsv`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', says = ''] = line.split('\t')
      return { name, says: bookName(says) }
    })

/** Decides which names are held back, so that nobody chooses. */
export const isHeldBack = (name: string): boolean => crc32(name) % 3 === 0

const bookName = (says: string): BookName => {
  const fields = new Map(says.split(' | ').map(splitField))
  const text = (field: string): string | null => fields.get(field) ?? null
  const number = (field: string): number | null => (fields.has(field) ? Number(fields.get(field)) : null)
  const list = (field: string): readonly string[] => fields.get(field)?.split(' + ') ?? []
  return {
    title: text('title'),
    seriesTitle: text('series'),
    seriesYear: number('syear'),
    year: number('year'),
    volume: number('vol'),
    volumeEnd: number('volEnd'),
    chapter: number('ch'),
    chapterEnd: number('chEnd'),
    number: text('no'),
    numberEnd: text('noEnd'),
    count: number('count'),
    season: number('season'),
    part: text('part'),
    isSpecial: fields.has('special'),
    edition: text('edition'),
    language: text('lang'),
    authors: list('authors'),
    groups: list('groups'),
  }
}

const splitField = (field: string): readonly [string, string] => {
  const at = field.indexOf('=')
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)]
}
