import { useTranslation } from 'react-i18next'
import { queryClient } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import type { Kind } from '../kinds.ts'
import { type Mark, markBooks, markSeries, markUpTo } from './marks.ts'

/** All reads about reading progress are read again. */
const readAgain = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [name] }) => /\/(books|series|readlists|libraries|want-to-read)\b/.test(String(name)),
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
  const markAll = (ids: readonly string[], as: Mark, kind: Kind): Promise<void> =>
    mark(() => (kind === 'books' ? markBooks : markSeries)(ids, as), {
      kind: `${kind} ${as}`,
      count: ids.length,
      textOf: (count) => t(`marked.${kind}_${as}`, { count }),
    })
  return {
    /** Some may be books, and some series. */
    markItems: async (items: readonly { readonly id: string }[], as: Mark): Promise<void> => {
      const books = items.filter(isOfSeries)
      const series = items.filter((item) => !isOfSeries(item))
      if (books.length > 0) await markAll(idsOf(books), as, 'books')
      if (series.length > 0) await markAll(idsOf(series), as, 'series')
    },
    markUpTo: (id: string): Promise<void> =>
      attempt(async () => {
        const { count, putBack } = await markUpTo(id)
        toast({ text: t('marked.books_read', { count }), undo: () => void attempt(putBack) })
      }),
    markBooks: (ids: readonly string[], as: Mark): Promise<void> => markAll(ids, as, 'books'),
    markSeries: (ids: readonly string[], as: Mark): Promise<void> => markAll(ids, as, 'series'),
  }
}

const isOfSeries = (item: object): boolean => 'seriesId' in item
const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id)
