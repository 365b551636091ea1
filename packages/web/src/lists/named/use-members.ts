import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { useSayFailure } from '../../text/say-failure.ts'
import { toast } from '../../ui/state/toasts.tsx'
import type { ListKind, ListTypes } from './kind.ts'

/** What people do to the members of a list: one is moved, or taken out until they change their mind. */
export const useMembers = <Types extends ListTypes>(kind: ListKind<Types>, id: string) => {
  const { endpoints, idsOf, memberParamsOf } = kind
  const { t } = useTranslation('lists')
  const nameOf = useItemName()
  const options = { invalidates: [endpoints.members, endpoints.read], onError: useSayFailure() }
  const move = useChange(endpoints.move, options)
  const remove = useChange(endpoints.remove, options)
  const add = useChange(endpoints.add, options)
  return {
    onMove: (item: Types['member'], position: number): void =>
      move.mutate({ params: memberParamsOf(id, item.id), body: { position } }),
    onRemove: (item: Types['member'], index?: number): void => {
      const moveBack = (): void => {
        if (index !== undefined) move.mutate({ params: memberParamsOf(id, item.id), body: { position: index + 1 } })
      }
      const putBack = (): Promise<unknown> =>
        add.mutateAsync({ params: { id }, body: idsOf([item.id]) }).then(moveBack, () => undefined)
      remove.mutate(
        { params: memberParamsOf(id, item.id) },
        { onSuccess: () => toast({ text: t('named.removed', { title: nameOf(item) }), undo: () => void putBack() }) },
      )
    },
  }
}
