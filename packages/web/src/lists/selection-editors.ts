import type { ComponentType } from 'react'
import type { Kind } from './kinds.ts'

export interface SelectionEditorProps {
  readonly ids: readonly string[]
  readonly onClose: () => void
}

/**
 * Windows in which what is chosen is edited, for those who may write it; the bar of a selection offers "Edit" where
 * there is one. Its feature stands in for it here, with a component that is loaded when it is opened.
 */
export const selectionEditors: { readonly [K in Kind]?: ComponentType<SelectionEditorProps> } = {}
