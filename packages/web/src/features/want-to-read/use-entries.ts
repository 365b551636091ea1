import {
  addWantToRead,
  dropBookToRead,
  dropSeriesToRead,
  type ListedWantToRead,
  listWantToRead,
  orderWantToRead,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { queryClient, useChange } from '../../api/queries.ts'
import type { ListSource } from '../../lists/pages/use-pages.ts'
import { useItemName } from '../../text/book-name.tsx'
import { useSayFailure } from '../../text/say-failure.ts'
import { toast } from '../../ui/state/toasts.tsx'

/** An entry is moved in the order one gives the list, or taken off it until one changes one's mind. */
export const useEntries = (inOrder: ListSource<ListedWantToRead>) => {
  const { t } = useTranslation('want-to-read')
  const nameOf = useItemName()
  const onError = useSayFailure()
  const options = { invalidates: [listWantToRead], onError }
  const order = useChange(orderWantToRead, options)
  const dropSeries = useChange(dropSeriesToRead, options)
  const dropBook = useChange(dropBookToRead, options)
  const add = useChange(addWantToRead, options)

  /** The entries between the old position and the new one share those positions in their new order. */
  const move = async (entry: ListedWantToRead, position: number): Promise<void> => {
    const first = await queryClient.fetchQuery(inOrder.page(1))
    const ids: string[] = []
    for (let number = 1; number <= first.body.totalPages; number += 1) {
      ids.push(...(await queryClient.fetchQuery(inOrder.page(number))).body.data.map(({ id }) => id))
      if (ids.length >= position && ids.includes(entry.id)) break
    }
    const moved = ids.toSpliced(ids.indexOf(entry.id), 1).toSpliced(position - 1, 0, entry.id)
    order.mutate({ body: { ids: moved } })
  }
  return {
    onMove: (entry: ListedWantToRead, position: number): void => void move(entry, position).catch(onError),
    onRemove: (entry: ListedWantToRead): void => {
      const { seriesId, bookId } = entry
      const title = nameOf(entry)
      const undo = (): void => add.mutate({ body: { seriesId, bookId } })
      const onSuccess = (): void => toast({ text: t('dropped', { title }), undo })
      if (seriesId !== null) dropSeries.mutate({ params: { id: seriesId } }, { onSuccess })
      if (bookId !== null) dropBook.mutate({ params: { id: bookId } }, { onSuccess })
    },
  }
}
