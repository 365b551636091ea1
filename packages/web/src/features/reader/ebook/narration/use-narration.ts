import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../ui/state/toasts.tsx'
import type { BookView } from '../use-book-view.ts'
import { type Narrating, type Narrator, openNarrator } from './narrator.ts'
import type { EbookReading, OpenEbook } from '../use-ebook-reading.ts'

export interface Narration {
  readonly narrating: Narrating
  readonly toggle: () => void
  readonly step: (by: 1 | -1) => void
}

/** Undefined: nobody has read the book aloud. */
export const useNarration = (
  { book, map }: OpenEbook,
  reading: EbookReading,
  view: BookView,
): Narration | undefined => {
  const { t } = useTranslation('ebook')
  const [narrating, setNarrating] = useState<Narrating>('off')
  const narrator = useRef<Narrator>(undefined)
  const [file] = useState({ id: book.id, fileHash: book.fileHash })
  const latest = useRef({ reading, view, t })
  useLayoutEffect(() => {
    latest.current = { reading, view, t }
  })
  const isRead = map.sections.some(({ narration }) => narration !== undefined)
  useEffect(() => {
    if (!isRead) return undefined
    const opened = openNarrator({
      book: file,
      map,
      engine: () => latest.current.view.engine(),
      here: () => latest.current.reading.visiblePart?.index ?? latest.current.reading.location.index,
      onChange: setNarrating,
      onProblem: () => toast({ kind: 'problem', text: latest.current.t('aloud.problem') }),
    })
    narrator.current = opened
    return () => {
      opened.close()
      narrator.current = undefined
    }
  }, [file, map, isRead])
  if (!isRead) return undefined
  return {
    narrating,
    toggle: () => narrator.current?.toggle(),
    step: (by) => narrator.current?.step(by),
  }
}
