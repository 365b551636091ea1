import { type BookDto, putBookAside, readHome, readOpenBooks, saveProgress, takeBookUp } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { invalidate } from '../../../api/queries.ts'
import { markBooks } from '../../../lists/marks/marks.ts'
import { useMarks } from '../../../lists/marks/use-marks.ts'
import { paths } from '../../../navigation/paths.ts'
import { useMay } from '../../../session/me.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import type { MenuAction } from '../../../ui/action-menu.tsx'
import { toast } from '../../../ui/state/toasts.tsx'

/** What one may want with an open book besides going on with it. All of it can be taken back. */
export const useHeroActions = (book: BookDto): readonly MenuAction[] => {
  const { t } = useTranslation('home')
  const textOf = useProblemText()
  const marks = useMarks()
  const mayWrite = useMay('progress:write')
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await invalidate(readHome, readOpenBooks)
  }
  const params = { id: book.id }
  const startOver = async (): Promise<void> => {
    const putBack = await markBooks([book.id], 'unread')
    const isText = book.pageCount === 0
    await call(saveProgress, {
      params,
      body: isText ? { currentPage: 0, progressPercentage: 0 } : { currentPage: 1 },
    })
    toast({ text: t('startedOver'), undo: () => void attempt(putBack) })
  }
  const putAside = async (): Promise<void> => {
    await call(putBookAside, { params })
    toast({ text: t('putAside'), undo: () => void attempt(() => call(takeBookUp, { params })) })
  }
  const markRead = async (): Promise<void> => {
    await marks.markBooks([book.id], 'read')
    await invalidate(readHome, readOpenBooks)
  }
  const about = { key: 'about', icon: 'info', label: t('about'), to: paths.book(book.id) } as const
  if (!mayWrite) return [about]
  return [
    { key: 'startOver', icon: 'undo', label: t('startOver'), run: () => void attempt(startOver) },
    { key: 'markRead', icon: 'check', label: t('markRead'), run: () => void markRead() },
    { key: 'notNow', icon: 'close', label: t('notNow'), run: () => void attempt(putAside) },
    about,
  ]
}
