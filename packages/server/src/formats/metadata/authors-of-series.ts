import type { Author } from '../book-format.ts'

/** These change from book to book. */
const rolesOfOneBook = new Set<Author['role']>(['cover_artist', 'editor', 'translator', 'contributor'])

/** Of those who made a book the ones who, as far as one book tells, made its series. */
export const authorsOfSeries = (authors: readonly Author[]): readonly Author[] =>
  authors.filter(({ role }) => !rolesOfOneBook.has(role))
