import { useRouter } from '@tanstack/react-router'
import { goTo } from '../../navigation/go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import type { MenuItem } from './item-menu-request.ts'
import { findNextBook } from './next-book.ts'

/** It reads a book, or on in a series. */
export const useReading = (): ((item: MenuItem) => void) => {
  const router = useRouter()
  const textOf = useProblemText()
  const readSeries = async (seriesId: string): Promise<void> => {
    try {
      const next = await findNextBook(seriesId)
      goTo(router, next ? paths.read(next.id) : paths.series(seriesId))
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
  }
  return (item) => ('seriesId' in item ? goTo(router, paths.read(item.id)) : void readSeries(item.id))
}
