import type { Author } from '../book-format.ts'

/** These change from book to book. */
const rolesOfOneBook = new Set<Author['role']>(['cover_artist', 'editor', 'translator', 'contributor'])

/** It picks those who, as far as one book says, made its series. */
export const authorsOfSeries = (authors: readonly Author[]): readonly Author[] =>
  authors.filter(({ role }) => !rolesOfOneBook.has(role))
