import type { BookFormat, OpenBook } from '../../src/formats/book-format.ts'
import { fileCandidate, noEnvironment } from './candidate.ts'

export const openAs = (format: BookFormat, bytes: Buffer, path = 'a.book'): Promise<OpenBook> =>
  format.open(fileCandidate(path, bytes), noEnvironment)

/** It calls every function of a book that flows, and throws whatever any of them throws. */
export const readThrough = async (book: OpenBook): Promise<void> => {
  const { reflowable } = book
  await book.pages()
  await book.metadata()
  await book.fingerprints()
  await book.outline?.()
  await book.readCover()
  await reflowable?.positions()
  for (const { href } of (await reflowable?.spine()) ?? []) await reflowable?.readResource(href)
  for (const { href } of (await reflowable?.resources?.()) ?? []) await reflowable?.readResource(href)
  for await (const _ of book.text?.() ?? []);
}

export const chapterNamed = async ({ reflowable }: OpenBook, name: string): Promise<string> =>
  (await reflowable?.readResource(name))?.bytes.toString() ?? ''

export const wordsIn = async (book: OpenBook): Promise<string> => {
  const parts: string[] = []
  for await (const { text } of book.text?.() ?? []) parts.push(text)
  return parts.join('\n')
}

/** Addresses of chapters and of the table of contents that lead nowhere in the book. */
export const deadLinks = async (book: OpenBook): Promise<readonly string[]> => {
  const { reflowable } = book
  const ids = new Map<string, ReadonlySet<string>>()
  const links: string[] = []
  for (const { href } of (await reflowable?.spine()) ?? []) {
    const markup = await chapterNamed(book, href)
    ids.set(href, new Set([...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)))
    links.push(...[...markup.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link))
  }
  const visit = (entries: Awaited<ReturnType<NonNullable<OpenBook['outline']>>>): void => {
    for (const { href, children } of entries) {
      if (href !== undefined) links.push(href)
      visit(children)
    }
  }
  visit((await book.outline?.()) ?? [])
  const resources = new Set((await reflowable?.resources?.())?.map(({ href }) => href))
  return links.filter((link) => {
    const [name = '', fragment] = link.split('#', 2)
    if (resources.has(name) || /^https?:/.test(name)) return false
    return !(fragment === undefined ? ids.has(name) : ids.get(name)?.has(decodeURI(fragment)))
  })
}
