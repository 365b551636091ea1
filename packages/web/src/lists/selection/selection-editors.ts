import { type ComponentType, lazy } from 'react'
import { loadStrings } from '../../text/language.ts'
import type { Kind } from '../kinds.ts'

export interface SelectionEditorProps {
  readonly ids: readonly string[]
  readonly onClose: () => void
}

const editorOf = (name: 'BooksEditor' | 'SeriesEditor') =>
  lazy(async () => {
    const loading = [import('../../features/editing/selection-editor.tsx'), loadStrings(['editing'])] as const
    const [editors] = await Promise.all(loading)
    return { default: editors[name] }
  })

/** Windows in which what is chosen is edited, for those who may write it; loaded when one is opened. */
export const selectionEditors: { readonly [K in Kind]: ComponentType<SelectionEditorProps> } = {
  series: editorOf('SeriesEditor'),
  books: editorOf('BooksEditor'),
}
