import type { BookDto, SeriesDto } from '@carrel/api'
import type { DragEvent } from 'react'

export type BookInHand = Pick<BookDto, 'id' | 'libraryId' | 'seriesId' | 'seriesName'>

export interface DroppedOnSeries {
  readonly books: readonly BookInHand[]
  /** Absent: it is asked for. */
  readonly into?: Pick<SeriesDto, 'id' | 'title' | 'libraryId'> | undefined
}

/** What is dragged has a kind of its own, so that it can go from one window of the app to another, and nothing else is taken. */
const kind = 'application/x-carrel-books'

interface Receiver {
  readonly onTaken: (books: readonly BookInHand[]) => void
  readonly onDropped: (dropped: DroppedOnSeries) => void
}

let receiver: Receiver | undefined

/** Where nobody receives books, no series is a place to drop them. */
export const receiveBooks = (given: Receiver): (() => void) => {
  receiver = given
  return () => {
    receiver = undefined
  }
}

export const takeInHand = ({ dataTransfer }: DragEvent, books: readonly BookInHand[]): void => {
  const taken = books.map(({ id, libraryId, seriesId, seriesName }) => ({ id, libraryId, seriesId, seriesName }))
  dataTransfer.setData(kind, JSON.stringify(taken))
  receiver?.onTaken(taken)
}

/** The link of a book can be dragged as any link; it takes the book along. */
export const dragOf = (book: BookInHand) => ({
  onDragStart: (event: DragEvent): void => takeInHand(event, [book]),
})

const mark = ({ currentTarget }: DragEvent, isTarget: boolean): void => {
  if (currentTarget instanceof HTMLElement) currentTarget.toggleAttribute('data-is-drop-target', isTarget)
}

const isInside = ({ currentTarget, relatedTarget }: DragEvent): boolean =>
  relatedTarget instanceof Node && currentTarget.contains(relatedTarget)

/** Books may be dropped onto a series: the user is told what comes of it, and confirms, before it happens. */
export const dropOn = ({ id, title, libraryId }: Pick<SeriesDto, 'id' | 'title' | 'libraryId'>) =>
  dropBooks((books) => ({ books, into: { id, title, libraryId } }))

export const dropBooks = (droppedWith: (books: readonly BookInHand[]) => DroppedOnSeries) => ({
  onDragOver: (event: DragEvent): void => {
    if (receiver === undefined || !event.dataTransfer.types.includes(kind)) return
    event.preventDefault()
    mark(event, true)
  },
  onDragLeave: (event: DragEvent): void => {
    if (!isInside(event)) mark(event, false)
  },
  onDrop: (event: DragEvent): void => {
    mark(event, false)
    const books = booksIn(event.dataTransfer.getData(kind))
    if (books.length === 0) return
    event.preventDefault()
    receiver?.onDropped(droppedWith(books))
  },
})

const isBookInHand = (value: unknown): value is BookInHand =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'libraryId', 'seriesId', 'seriesName'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'string',
  )

/** It may come from another page, which may say anything. */
const booksIn = (text: string): readonly BookInHand[] => {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.filter(isBookInHand) : []
  } catch {
    return []
  }
}
