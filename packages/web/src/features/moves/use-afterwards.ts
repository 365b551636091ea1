import { type MovedByHand, undoHistory } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { makesOld } from '../../api/event-effects.ts'
import { invalidateWhere } from '../../api/queries.ts'
import { goTo } from '../../navigation/go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

/** Everything that shows books or series may show them elsewhere now. */
export const readAgain = (): Promise<void> => invalidateWhere((target) => makesOld({ type: 'series_merged' }, target))

/** It says where the books are now, and puts them back on demand, also when the window that asked is closed. */
export const useAfterwards = (): ((moved: MovedByHand) => void) => {
  const { t } = useTranslation('moves')
  const takeBack = useTakeBack()
  const mayTakeBack = useMay('books:write')
  const router = useRouter()
  const isAt = (id: string): boolean => router.state.location.pathname === paths.series(id)
  const lead = (id: string): void => goTo(router, paths.series(id), { replace: true })
  return ({ id, title, historyId, movedBooks, emptied }) => {
    // A series without books has no page: who stands there goes along with its books, and back with them.
    const left = emptied.find((series) => isAt(series.id))
    if (left) lead(id)
    void readAgain()
    const undo = (): void => {
      if (left && isAt(id)) takeBack(historyId ?? '', () => lead(left.id))
      else takeBack(historyId ?? '')
    }
    toast({
      text: t('done.moved', { count: movedBooks, title }),
      ...(historyId !== null && mayTakeBack && { undo }),
    })
  }
}

export const useTakeBack = (): ((historyId: string, onDone?: () => void) => void) => {
  const { t } = useTranslation('moves')
  const textOf = useProblemText()
  const takeBack = async (historyId: string, onDone?: () => void): Promise<void> => {
    try {
      await call(undoHistory, { params: { historyId } })
      onDone?.()
      toast({ text: t('done.undone') })
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await readAgain()
  }
  return (historyId, onDone) => void takeBack(historyId, onDone)
}
