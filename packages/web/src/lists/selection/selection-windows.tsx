import type { BookDto, SeriesDto } from '@carrel/api'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { AddToList } from '../named/add-to-list.tsx'
import type { Kind } from '../kinds.ts'
import { MergeWindow, MoveWindow, SplitWindow } from './hand-windows.ts'
import { type SelectionEditorProps, selectionEditors } from './selection-editors.ts'

export const isBook = (item: SeriesDto | BookDto): item is BookDto => 'seriesId' in item
const isSeries = (item: SeriesDto | BookDto): item is SeriesDto => !isBook(item)

/** Undefined where some are series and some are books. */
export const kindOf = (items: readonly (SeriesDto | BookDto)[]): Kind | undefined =>
  items.every(isBook) ? 'books' : items.some(isBook) ? undefined : 'series'

export type SelectionWindow = 'add' | 'edit' | 'move' | 'split' | 'merge'

interface WindowsProps {
  readonly kind: Kind
  readonly items: readonly (SeriesDto | BookDto)[]
  readonly open: SelectionWindow | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

/** The dialogs ask into which list or series the selection goes, or what to change. */
export const SelectionWindows = ({ kind, items, open, ...closing }: WindowsProps): ReactNode => {
  if (open === undefined) return null
  const ids = items.map(({ id }) => id)
  if (open === 'add') return <AddToList kind={kind} ids={ids} {...closing} />
  const Editor: ComponentType<SelectionEditorProps> = selectionEditors[kind]
  const books = items.filter(isBook)
  return (
    <Suspense>
      {open === 'edit' ? <Editor ids={ids} onClose={closing.onClose} /> : null}
      {open === 'move' ? <MoveWindow books={books} {...closing} /> : null}
      {open === 'split' ? <SplitWindow books={books} {...closing} /> : null}
      {open === 'merge' ? <MergeWindow series={items.filter(isSeries)} {...closing} /> : null}
    </Suspense>
  )
}
