import type { Grouping, GroupingAdvice } from '@carrel/api'

/** A file that a walk has found, with what is known of the book in it. Plain arrays: a hundred thousand of them go over. */
export type FileToGroup = readonly [
  folder: string,
  name: string,
  /** The series in which it is; null: it is not known yet. */
  seriesId: string | null,
  /** The series into which people have put it, or what comes to where it lies. */
  byHand: string | null,
  /** What it says of its series (`book_claim`); null: nothing. */
  claims: string | null,
  /** It has been opened: it will not say anything else. */
  isRead: boolean,
  isFolder: boolean,
]

/** A series that the library has. */
export type StandingSeries = readonly [
  id: string,
  key: string,
  /** Its folder says this. */
  name: string,
  /** What somebody else than its books says it is called. */
  statedTitle: string | null,
  bookCount: number,
]

export type ToGrouper =
  | {
      readonly kind: 'begin'
      readonly grouping: Grouping
      /** What the folders are called that are its roots, by their ids. */
      readonly rootNames: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'standing'
      readonly series: readonly StandingSeries[]
      /** Keys that have become part of another series, with the id of that one. */
      readonly merged: readonly (readonly [key: string, intoId: string])[]
    }
  | { readonly kind: 'files'; readonly rootId: string; readonly files: readonly FileToGroup[] }
  | { readonly kind: 'end' }

export type FromGrouper =
  | { readonly kind: 'next' }
  | { readonly kind: 'grouped'; readonly grouped: GroupedFiles }
  | { readonly kind: 'failed'; readonly message: string }

export interface GroupedSeries {
  /** Null: there is none yet. */
  readonly seriesId: string | null
  readonly name: string
  readonly path: string
  readonly bookCount: number
  readonly sampleBooks: readonly string[]
  /** The series in which its first book is now. */
  readonly was: string | null
}

/** What a grouping would make of the files. */
export interface GroupedFiles {
  /** The first of them, by title. */
  readonly series: readonly GroupedSeries[]
  readonly bookCount: number
  readonly seriesCount: number
  readonly unreadFiles: number
  readonly booksMoved: number
  readonly seriesAdded: number
  readonly seriesEmptied: number
  /** The first of those that would have no books any more. */
  readonly emptiedIds: readonly string[]
  readonly advice: readonly GroupingAdvice[]
}
