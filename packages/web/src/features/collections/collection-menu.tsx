import {
  addToCollection,
  type CollectionDto,
  createCollection,
  deleteCollection,
  listCollections,
  listSeriesOfCollection,
  readCollection,
  updateCollection,
} from '@carrel/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { etagOf, invalidate, useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { everyId } from '../../lists/every-id.ts'
import { NameDialog } from '../../lists/name-dialog.tsx'
import { useGoTo } from '../../lists/use-go-to.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { toast } from '../../ui/toasts.tsx'

/** Its name and its end, for those who may. */
export const CollectionMenu = ({ collection }: { readonly collection: CollectionDto }): ReactNode => {
  const { t } = useTranslation('collections')
  const { id, name, summary, ordered } = collection
  const [isNaming, setNaming] = useState(false)
  const drop = useDrop(collection)
  const update = useChange(updateCollection, {
    invalidates: [readCollection, listCollections, listSeriesOfCollection],
    onDone: () => setNaming(false),
  })
  const mayWrite = useMay('collections:write')
  const mayDelete = useMay('collections:delete')
  const actions = [
    ...(mayWrite ? [{ key: 'edit', icon: 'edit', label: t('edit'), run: () => setNaming(true) } as const] : []),
    ...(mayDelete ? [{ key: 'delete', icon: 'trash', label: t('delete'), run: () => void drop() } as const] : []),
  ]
  const ifMatch = (): string | null => etagOf(readCollection, { params: { id } })
  return (
    <>
      <ActionMenu label={t('more')} actions={actions} link={AppLink} />
      {isNaming ? (
        <NameDialog
          title={t('edit')}
          before={{ name, summary, ordered }}
          error={update.error}
          isPending={update.isPending}
          onSave={(body) => update.mutate({ params: { id }, body, ifMatch: ifMatch() })}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </>
  )
}

/** The entries are remembered, so that undo can create the collection again. */
const useDrop = ({ id, name, summary, ordered, automatic, condition }: CollectionDto): (() => Promise<void>) => {
  const { t } = useTranslation('collections')
  const textOf = useProblemText()
  const goTo = useGoTo()
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await invalidate(listCollections)
  }
  const putBack = async (seriesIds: readonly string[]): Promise<void> => {
    const { body } = await call(createCollection, { body: { name, summary, ordered, condition: condition ?? null } })
    if (seriesIds.length > 0)
      await call(addToCollection, { params: { id: body.id }, body: { seriesIds: [...seriesIds] } })
    goTo(paths.collection(body.id))()
  }
  return () =>
    attempt(async () => {
      const members = automatic
        ? []
        : await everyId((page) => call(listSeriesOfCollection, { params: { id }, query: page }))
      await call(deleteCollection, { params: { id } })
      goTo(paths.collections())()
      toast({ text: t('deleted', { name }), undo: () => void attempt(() => putBack(members)) })
    })
}
