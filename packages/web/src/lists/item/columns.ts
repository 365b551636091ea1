import { useSyncExternalStore } from 'react'
import type { Kind } from '../kinds.ts'
import type { Order } from '../search/list-search.ts'

interface Column {
  /** How wide it is, as the style sheet of the browser takes it. */
  readonly width: string
  /** The order that a click on its head gives the list. */
  readonly order?: Order
  /** Numbers stand at its end, below each other. */
  readonly isNumber?: true
}

/** What a table can show beside the title. */
const columns = {
  author: { width: 'minmax(0, 1.4fr)' },
  series: { width: 'minmax(0, 1.4fr)', order: 'series' },
  publisher: { width: 'minmax(0, 1fr)' },
  year: { width: '4rem', order: 'year', isNumber: true },
  books: { width: '4.5rem', order: 'books', isNumber: true },
  unread: { width: '5.5rem', isNumber: true },
  pages: { width: '4.5rem', order: 'pages', isNumber: true },
  progress: { width: '5rem' },
  format: { width: '4.5rem' },
  size: { width: '5.5rem', order: 'size', isNumber: true },
  library: { width: 'minmax(0, 1fr)' },
  added: { width: '7.5rem', order: 'added' },
  updated: { width: '7.5rem', order: 'updated' },
} as const satisfies Readonly<Record<string, Column>>

export type ColumnName = keyof typeof columns

/** All that a kind has, in the order in which they stand. */
export const columnsOf: Readonly<Record<Kind, readonly ColumnName[]>> = {
  series: ['author', 'publisher', 'year', 'books', 'unread', 'progress', 'library', 'added', 'updated'],
  books: ['series', 'pages', 'progress', 'format', 'size', 'library', 'added', 'updated'],
}

const usualColumns: Readonly<Record<Kind, readonly ColumnName[]>> = {
  series: ['author', 'year', 'books', 'unread', 'progress', 'added'],
  books: ['series', 'pages', 'progress', 'added'],
}

export const columnOf = (name: ColumnName): Column => columns[name]

export const widthsOf = (shown: readonly ColumnName[]): string =>
  ['minmax(8rem, 4fr)', ...shown.map((name) => columns[name].width)].join(' ')

const keyOf = (kind: Kind): string => `carrel.columns.${kind}`
const listeners = new Set<() => void>()

const stored = (kind: Kind): readonly ColumnName[] => {
  try {
    const text = localStorage.getItem(keyOf(kind))
    const names = text?.split(',')
    return names ? columnsOf[kind].filter((name) => names.includes(name)) : usualColumns[kind]
  } catch {
    // Storage may be forbidden: then everybody has the usual ones.
    return usualColumns[kind]
  }
}

const shown: Record<Kind, readonly ColumnName[]> = { series: stored('series'), books: stored('books') }

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Which columns somebody has chosen on this device. */
export const useColumns = (kind: Kind): readonly ColumnName[] => useSyncExternalStore(subscribe, () => shown[kind])

export const toggleColumn = (kind: Kind, name: ColumnName): void => {
  const isShown = shown[kind].includes(name)
  shown[kind] = columnsOf[kind].filter((each) => (each === name ? !isShown : shown[kind].includes(each)))
  try {
    localStorage.setItem(keyOf(kind), shown[kind].join())
  } catch {
    // It holds until the page is closed.
  }
  for (const listener of listeners) listener()
}
