import { idText } from '../values.ts'
import type { StoreDatabase } from '../sqlite.ts'
import type { PassedOver } from '../counted-rows.ts'

interface Part {
  readonly book: string
  readonly pages: number
}

/** What is known of the store while it is read. */
export interface OpenStore {
  readonly db: StoreDatabase
  readonly passed: PassedOver
  /** The folders of each library. */
  readonly roots: Map<string, readonly string[]>
  /** The books of each chapter that is spread over several files. */
  readonly parts: Map<string, readonly Part[]>
}

/** All books that a chapter is. */
export const booksOf = ({ parts }: OpenStore, chapter: unknown): readonly string[] =>
  parts.get(idText(chapter))?.map(({ book }) => book) ?? [idText(chapter)]

/** The book with this page of a chapter, counted from 0, and the page there. */
export const bookAt = ({ parts }: OpenStore, chapter: unknown, page: number): { book: string; page: number } => {
  let before = 0
  const chapterParts = parts.get(idText(chapter)) ?? []
  for (const { book, pages } of chapterParts) {
    if (page < before + pages) return { book, page: page - before }
    before += pages
  }
  const last = chapterParts.at(-1)
  return last === undefined
    ? { book: idText(chapter), page }
    : { book: last.book, page: Math.max(0, page - before + last.pages) }
}
