import type { BookDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { Grid, Stack } from '../../ui/layout/layout.tsx'
import { BookContents, mayHaveContents } from './book-contents.tsx'
import { BookMarks } from './book-marks.tsx'
import { BookNeighbours } from './book-neighbours.tsx'
import { GoOnWith } from './go-on-with.tsx'

/** What is in a book, what its reader has marked there, and what comes after it. */
export const BookInside = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const beside = (
    <Stack gap={5}>
      <BookMarks book={book} />
      <BookNeighbours book={book} />
      {book.oneShot ? <GoOnWith book={book} /> : null}
    </Stack>
  )
  if (!mayHaveContents(book)) return beside
  return (
    <Grid gap={6} min={24} stretch align="start">
      <BookContents book={book} />
      {beside}
    </Grid>
  )
}
