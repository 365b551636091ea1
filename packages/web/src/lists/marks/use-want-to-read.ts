import { addManyWantToRead, dropBookToRead, dropSeriesToRead } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { queryClient } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import type { Kind } from '../kinds.ts'
import { inTurns } from './marks.ts'

const send = async (kind: Kind, ids: readonly string[], isOnList: boolean): Promise<void> => {
  if (isOnList)
    await call(addManyWantToRead, { body: kind === 'series' ? { seriesIds: [...ids] } : { bookIds: [...ids] } })
  else await inTurns(ids, (id) => call(kind === 'series' ? dropSeriesToRead : dropBookToRead, { params: { id } }))
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [name] }) => /\/(books|series|want-to-read|readlists|collections)\b/.test(String(name)),
  })
}

/** It puts series or books onto the want-to-read list, or takes them off it. */
export const useWantToRead = () => {
  const { t } = useTranslation('lists')
  const textOf = useProblemText()
  const change = async (kind: Kind, items: readonly WantToReadChange[], isOnList: boolean): Promise<void> => {
    const ids = items.filter(({ wantToRead }) => wantToRead !== isOnList).map(({ id }) => id)
    if (ids.length === 0) return
    try {
      await send(kind, ids, isOnList)
      const undo = (): void => void send(kind, ids, !isOnList).catch(fail)
      toast({ text: t(isOnList ? 'wanted.added' : 'wanted.dropped', { count: ids.length }), undo })
    } catch (error) {
      fail(error)
    }
  }
  const fail = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  return change
}

interface WantToReadChange {
  readonly id: string
  readonly wantToRead: boolean
}

/** The same of some of which may be books, and some series. */
export const useWantItems = () => {
  const want = useWantToRead()
  return (items: readonly WantToReadChange[], isOnList: boolean): void => {
    const books = items.filter(isOfSeries)
    const series = items.filter((item) => !isOfSeries(item))
    if (books.length > 0) void want('books', books, isOnList)
    if (series.length > 0) void want('series', series, isOnList)
  }
}

const isOfSeries = (item: object): boolean => 'seriesId' in item
