import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../../text/problem-text.ts'
import { targetOf } from '../../../reader/ebook/book-address.ts'
import { type BookMap, sectionOf } from '../../../reader/ebook/book-map.ts'
import { toast } from '../../../ui/state/toasts.tsx'
import { type Spot, spotOf } from './engine/spots.ts'
import { isNoteLink, noteIn } from './notes-in-book.ts'
import type { Goal } from './use-ebook-reading.ts'
import type { OpenEngine } from './engine/use-engine.ts'

interface OpenNote {
  readonly paragraphs: readonly string[]
  readonly goal: Goal
  readonly spot: Spot
}

/** Links in the text lead to a note, elsewhere in the book, or out of it. */
export const useLinks = (map: BookMap, jump: (goal: Goal) => void) => {
  const { t } = useTranslation('ebook')
  const textOf = useProblemText()
  const [note, setNote] = useState<OpenNote>()
  const lead = async (link: Element, reference: string, open: OpenEngine): Promise<void> => {
    const here = open.engine.sectionOf(link.ownerDocument) ?? 0
    const target = targetOf(map.sections[here]?.href ?? '', reference)
    if (target?.kind === 'outside') return void window.open(target.address, '_blank', 'noopener,noreferrer')
    const index = target && sectionOf(map, target.href)
    if (index === undefined) return toast({ kind: 'problem', text: t('deadLink') })
    const goal = { index, fragment: target?.fragment }
    const spot = spotOf(link.getClientRects(), link.ownerDocument)
    const paragraphs = isNoteLink(link) ? noteIn(await open.chapters.read(index), goal.fragment) : undefined
    if (paragraphs) setNote({ paragraphs, goal, spot })
    else jump(goal)
  }
  return {
    follow: (link: Element, reference: string, open: OpenEngine | undefined): void => {
      if (!open) return
      lead(link, reference, open).catch((error: unknown) => toast({ kind: 'problem', text: textOf(error) }))
    },
    note: note?.paragraphs,
    /** It opens here. */
    spot: note?.spot,
    closeNote: (): void => setNote(undefined),
    goToNote: (): void => {
      setNote(undefined)
      if (note) jump(note.goal)
    },
  }
}
