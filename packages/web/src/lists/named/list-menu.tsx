import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { callDeletion, etagOf, invalidate, useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { everyId } from '../pages/every-id.ts'
import { NameDialog } from './name-dialog.tsx'
import { useGoTo } from '../search/use-go-to.ts'
import type { ListKind, ListTypes } from './kind.ts'

interface ListActionsOptions<Types extends ListTypes> {
  readonly kind: ListKind<Types>
  readonly list: Types['list']
  /** Where it stands: on its own page, which goes with it, or among all. */
  readonly on: 'its page' | 'all'
}

interface ListActions {
  readonly actions: readonly MenuAction[]
  /** What the actions open. */
  readonly windows: ReactNode
}

/** Its name and its end, for those who may. */
export const useListActions = <Types extends ListTypes>(options: ListActionsOptions<Types>): ListActions => {
  const { t } = useTranslation('lists')
  const { kind, list } = options
  const { endpoints } = kind
  const { id, name, summary, ordered } = list
  const [isNaming, setNaming] = useState(false)
  const drop = useDrop(options)
  const update = useChange(endpoints.update, {
    invalidates: [endpoints.read, endpoints.all, endpoints.members],
    onDone: () => setNaming(false),
  })
  const mayWrite = useMay(kind.mayWrite)
  const mayDelete = useMay(kind.mayDelete)
  const group = 'edit'
  const actions = [
    ...(mayWrite
      ? [{ key: 'edit', icon: 'edit', label: t('named.edit'), run: () => setNaming(true), group } as const]
      : []),
    ...(mayDelete
      ? [{ key: 'delete', icon: 'trash', label: t('named.delete'), run: () => void drop(), group } as const]
      : []),
  ]
  const ifMatch = (): string | null => etagOf(endpoints.read, { params: { id } })
  const windows = isNaming ? (
    <NameDialog
      title={t('named.edit')}
      before={{ name, summary, ordered }}
      error={update.error}
      isPending={update.isPending}
      onSave={(body) => update.mutate({ params: { id }, body, ifMatch: ifMatch() })}
      onClose={() => setNaming(false)}
    />
  ) : null
  return { actions, windows }
}

export const ListMenu = <Types extends ListTypes>(
  props: Pick<ListActionsOptions<Types>, 'kind' | 'list'>,
): ReactNode => {
  const { t } = useTranslation('lists')
  const { actions, windows } = useListActions({ ...props, on: 'its page' })
  return (
    <>
      <ActionMenu label={t('named.more')} actions={actions} link={AppLink} />
      {windows}
    </>
  )
}

/** The entries are remembered, so that undo can create the list again. */
const useDrop = <Types extends ListTypes>({ kind, list, on }: ListActionsOptions<Types>): (() => Promise<void>) => {
  const { t } = useTranslation('lists')
  const textOf = useProblemText()
  const open = useGoTo()
  const goTo = (path: string): void => {
    if (on === 'its page') open(path)()
  }
  const { endpoints, idsOf, pathOf, pathOfAll, restOf } = kind
  const { id, name, summary, ordered } = list
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await invalidate(endpoints.all)
  }
  const putBack = async (ids: readonly string[]): Promise<void> => {
    if (list.followsFiles) {
      // What is in it follows from files: they may say something else by now.
      const { body } = await call(endpoints.create, { body: { name, followsFiles: true } })
      goTo(pathOf(body.id))
      return
    }
    const { body } = await call(endpoints.create, { body: { name, summary, ordered, ...restOf(list) } })
    if (ids.length > 0) await call(endpoints.add, { params: { id: body.id }, body: idsOf(ids) })
    goTo(pathOf(body.id))
  }
  return () =>
    attempt(async () => {
      const members = await everyId((page) => call(endpoints.members, { params: { id }, query: page }))
      await callDeletion(endpoints.delete, { params: { id } }, id)
      goTo(pathOfAll())
      toast({ text: t('named.deleted', { name }), undo: () => void attempt(() => putBack(members)) })
    })
}
