import {
  addToReadList,
  type ReadListDto,
  createReadList,
  deleteReadList,
  listReadLists,
  listBooksOfReadList,
  readReadList,
  updateReadList,
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
export const ReadListMenu = ({ readList }: { readonly readList: ReadListDto }): ReactNode => {
  const { t } = useTranslation('read-lists')
  const { id, name, summary, ordered } = readList
  const [isNaming, setNaming] = useState(false)
  const drop = useDrop(readList)
  const update = useChange(updateReadList, {
    invalidates: [readReadList, listReadLists, listBooksOfReadList],
    onDone: () => setNaming(false),
  })
  const mayWrite = useMay('readlists:write')
  const mayDelete = useMay('readlists:delete')
  const actions = [
    ...(mayWrite ? [{ key: 'edit', icon: 'edit', label: t('edit'), run: () => setNaming(true) } as const] : []),
    ...(mayDelete ? [{ key: 'delete', icon: 'trash', label: t('delete'), run: () => void drop() } as const] : []),
  ]
  const ifMatch = (): string | null => etagOf(readReadList, { params: { id } })
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

/** The entries are remembered, so that undo can create the list again. */
const useDrop = ({ id, name, summary, ordered }: ReadListDto): (() => Promise<void>) => {
  const { t } = useTranslation('read-lists')
  const textOf = useProblemText()
  const goTo = useGoTo()
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await invalidate(listReadLists)
  }
  const putBack = async (bookIds: readonly string[]): Promise<void> => {
    const { body } = await call(createReadList, { body: { name, summary, ordered } })
    if (bookIds.length > 0) await call(addToReadList, { params: { id: body.id }, body: { bookIds: [...bookIds] } })
    goTo(paths.readList(body.id))()
  }
  return () =>
    attempt(async () => {
      const members = await everyId((page) => call(listBooksOfReadList, { params: { id }, query: page }))
      await call(deleteReadList, { params: { id } })
      goTo(paths.readLists())()
      toast({ text: t('deleted', { name }), undo: () => void attempt(() => putBack(members)) })
    })
}
