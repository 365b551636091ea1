import { useTranslation } from 'react-i18next'
import { queryClient } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { type Mark, markBooks, markSeries, markUpTo } from './marks.ts'

/** All reads about reading progress are read again. */
const readAgain = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [name] }) => /\/(books|series|readlists|libraries)\b/.test(String(name)),
  })

/** Marks as read or unread, says so, and offers to put it back. */
export const useMarks = () => {
  const { t } = useTranslation('lists')
  const textOf = useProblemText()
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await readAgain()
  }
  const mark = (
    marking: () => Promise<() => Promise<void>>,
    counted: NonNullable<Parameters<typeof toast>[0]['counted']>,
  ): Promise<void> =>
    attempt(async () => {
      const putBack = await marking()
      toast({ text: counted.textOf(counted.count), counted, undo: () => attempt(putBack) })
    })
  return {
    markUpTo: (id: string): Promise<void> =>
      attempt(async () => {
        const { count, putBack } = await markUpTo(id)
        toast({ text: t('marked.books_read', { count }), undo: () => void attempt(putBack) })
      }),
    markBooks: (ids: readonly string[], as: Mark): Promise<void> =>
      mark(() => markBooks(ids, as), {
        kind: `books ${as}`,
        count: ids.length,
        textOf: (count) => t(`marked.books_${as}`, { count }),
      }),
    markSeries: (ids: readonly string[], as: Mark): Promise<void> =>
      mark(() => markSeries(ids, as), {
        kind: `series ${as}`,
        count: ids.length,
        textOf: (count) => t(`marked.series_${as}`, { count }),
      }),
  }
}
