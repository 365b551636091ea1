import type { BookDetail } from '@carrel/api'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { OverPage, PageView } from '../pages/paged-view.tsx'

/** One of the places that were found: which of those on its page. */
export interface PassagePosition {
  readonly page: number
  readonly nth: number
}

/** What is looked for in a document, and where one is among what was found. */
export interface Find {
  readonly text: string
  readonly passage: PassagePosition | undefined
  readonly search: (text: string) => void
  readonly choose: (passage: PassagePosition) => void
}

/** It is fetched with the first page of a PDF. */
const TextLayer = lazy(async () => ({ default: (await import('./text-layer.tsx')).TextLayer }))

/** What a document has that pictures have not: its text lies over its pages, and is searched. */
export const useDocument = ({ id, fileFormat }: BookDetail, isSearching: boolean, view: RefObject<PageView | null>) => {
  const [text, setText] = useState('')
  const [passage, setPassage] = useState<PassagePosition>()
  const query = isSearching ? text.trim() : ''
  const reveal = useCallback((box: DOMRect) => view.current?.reveal(box), [view])
  const find: Find = {
    text,
    passage,
    search: (next) => {
      setText(next)
      setPassage(undefined)
    },
    choose: setPassage,
  }
  const overPage: OverPage = (page, size) => (
    <Suspense>
      <TextLayer
        bookId={id}
        {...{ page, size, query }}
        current={isSearching && passage?.page === page ? passage.nth : undefined}
        onReveal={reveal}
      />
    </Suspense>
  )
  const isDocument = fileFormat === 'pdf'
  return { isDocument, find, overPage: isDocument ? overPage : undefined }
}

/** Ctrl+F and ⌘F search in the book: the browser knows only the page in view. */
export const useFindKey = (onFind: (() => void) | undefined): void => {
  const latest = useRef(onFind)
  useEffect(() => {
    latest.current = onFind
  })
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'f' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      if (latest.current === undefined || document.querySelector('[role="dialog"], dialog[open]')) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
