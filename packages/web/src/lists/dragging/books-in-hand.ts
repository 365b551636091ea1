import type { BookDto, SeriesDto } from '@carrel/api'
import type { DragEvent } from 'react'

export type BookInHand = Pick<BookDto, 'id' | 'libraryId' | 'seriesId'>

export interface DroppedOnSeries {
  readonly books: readonly BookInHand[]
  readonly into: Pick<SeriesDto, 'id' | 'title' | 'libraryId'>
}

/** What is dragged has a kind of its own, so that it can go from one window of the app to another, and nothing else is taken. */
const kind = 'application/x-carrel-books'

let receive: ((dropped: DroppedOnSeries) => void) | undefined

/** Where nobody receives books, no series is a place to drop them. */
export const receiveBooks = (listener: (dropped: DroppedOnSeries) => void): (() => void) => {
  receive = listener
  return () => {
    receive = undefined
  }
}

export const takeInHand = ({ dataTransfer }: DragEvent, books: readonly BookInHand[]): void =>
  dataTransfer.setData(kind, JSON.stringify(books.map(({ id, libraryId, seriesId }) => ({ id, libraryId, seriesId }))))

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
export const dropOn = ({ id, title, libraryId }: SeriesDto) => ({
  onDragOver: (event: DragEvent): void => {
    if (receive === undefined || !event.dataTransfer.types.includes(kind)) return
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
    receive?.({ books, into: { id, title, libraryId } })
  },
})

const isBookInHand = (value: unknown): value is BookInHand =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'libraryId', 'seriesId'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')

/** It may come from another page, which may say anything. */
const booksIn = (text: string): readonly BookInHand[] => {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.filter(isBookInHand) : []
  } catch {
    return []
  }
}
