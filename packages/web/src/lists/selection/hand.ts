import type { BookDto, SeriesDto } from '@carrel/api'

interface WindowProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

export interface BooksWindowProps extends WindowProps {
  readonly books: readonly Pick<BookDto, 'id' | 'libraryId' | 'seriesId'>[]
  /** Where they go is known already. */
  readonly into?: Pick<SeriesDto, 'id' | 'title' | 'libraryId'> | undefined
}

export interface SeriesWindowProps extends WindowProps {
  readonly series: readonly SeriesDto[]
}
