import {
  createSharingTag,
  deleteSharingTag,
  listSharingTags,
  readEffectiveAccess,
  readSharingTag,
  type SharingTagDto,
  updateSharingTag,
} from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { etagOf, useChange, useLater, useRead } from '../../../api/queries.ts'
import { useProblem } from '../../../text/problem-text.ts'
import { IconAction } from '../../../ui/action-menu.tsx'
import { Confirm } from '../../../ui/dialog/confirm.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { ListRow, RowList } from '../../../ui/row-list.tsx'
import { EmptyState } from '../../../ui/state/state.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import { type Named, NamedDialog } from './named-dialog.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/sharing-tags')

type Asks = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly tag: SharingTagDto }

/** Marks on series that people and groups are allowed or denied. */
export const SharingTagsPage = (): ReactNode => {
  const { t } = useTranslation('users')
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, totalPages } = useRead(listSharingTags, { query: { page } })
  const [asks, setAsks] = useState<Asks>()
  const close = (): void => setAsks(undefined)
  const make = (
    <Button leftSection={<Icon name="plus" size="small" />} onClick={() => setAsks({ kind: 'new' })}>
      {t('tags.new')}
    </Button>
  )
  return (
    <Page title={t('tags.title')} subtitle={t('tags.text')} actions={data.length === 0 ? undefined : make}>
      {data.length === 0 ? (
        <EmptyState icon="eye" title={t('tags.none')} text={t('tags.noneText')} action={make} />
      ) : null}
      <RowList label={t('tags.title')}>
        {data.map((tag) => (
          <TagRow key={tag.id} tag={tag} onAsk={(kind) => setAsks({ kind, tag })} />
        ))}
      </RowList>
      <Pager
        label={t('pages')}
        page={page}
        pages={totalPages}
        onGo={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
      />
      {asks?.kind === 'new' ? <NewTag onClose={close} /> : null}
      {asks?.kind === 'edit' ? <EditTag tag={asks.tag} onClose={close} /> : null}
      {asks?.kind === 'delete' ? <DeleteTag tag={asks.tag} onClose={close} /> : null}
    </Page>
  )
}

interface TagRowProps {
  readonly tag: SharingTagDto
  readonly onAsk: (kind: 'edit' | 'delete') => void
}

const TagRow = ({ tag: { name, description, userCount, groupCount }, onAsk }: TagRowProps): ReactNode => {
  const { t } = useTranslation('users')
  const uses = userCount + groupCount === 0 ? t('tags.unused') : undefined
  const details = [
    description,
    uses,
    userCount === 0 ? undefined : t('tags.users', { count: userCount }),
    groupCount === 0 ? undefined : t('tags.groups', { count: groupCount }),
  ]
  return (
    <ListRow
      icon="eye"
      title={<bdi>{name}</bdi>}
      text={details.filter(Boolean).join(' · ')}
      actions={
        <>
          <IconAction icon="edit" label={t('tags.edit', { name })} onClick={() => onAsk('edit')} />
          <IconAction icon="trash" label={t('tags.delete', { name })} onClick={() => onAsk('delete')} />
        </>
      }
    />
  )
}

interface AskProps {
  readonly tag: SharingTagDto
  readonly onClose: () => void
}

const NewTag = ({ onClose }: Pick<AskProps, 'onClose'>): ReactNode => {
  const { t } = useTranslation('users')
  const create = useChange(createSharingTag, { invalidates: [listSharingTags], onDone: onClose })
  return (
    <NamedDialog
      title={t('tags.new')}
      action={t('create')}
      before={{ name: '', description: null }}
      error={create.error}
      isPending={create.isPending}
      onSave={(body) => create.mutate({ body })}
      onClose={onClose}
    />
  )
}

const EditTag = ({ tag: { id, name, description }, onClose }: AskProps): ReactNode => {
  const { t } = useTranslation('users')
  const input = { params: { id } }
  // The tag is read again for its ETag: the list does not say whether somebody else has changed it meanwhile.
  useLater(readSharingTag, input)
  const update = useChange(updateSharingTag, { invalidates: [listSharingTags, readSharingTag, readEffectiveAccess] })
  const save = (body: Named): void =>
    update.mutate(
      { ...input, body, ifMatch: etagOf(readSharingTag, input) },
      {
        onSuccess: () => {
          onClose()
          toast({
            text: t('saved', { name: body.name }),
            undo: () => update.mutate({ ...input, body: { name, description } }),
          })
        },
      },
    )
  return (
    <NamedDialog
      title={t('tags.editTitle')}
      action={t('save')}
      before={{ name, description }}
      error={update.error}
      isPending={update.isPending}
      onSave={save}
      onClose={onClose}
    />
  )
}

const DeleteTag = ({ tag: { id, name, userCount, groupCount }, onClose }: AskProps): ReactNode => {
  const { t } = useTranslation('users')
  const problemOf = useProblem()
  const remove = useChange(deleteSharingTag, { invalidates: [listSharingTags, readEffectiveAccess] })
  const confirm = (): void =>
    remove.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          onClose()
          toast({ text: t('tags.deleted', { name }) })
        },
      },
    )
  return (
    <Confirm
      title={t('tags.deleteTitle', { name })}
      isOpen
      onClose={onClose}
      action={t('tags.deleteAction')}
      onConfirm={confirm}
      isPending={remove.isPending}
      problem={problemOf(remove.error)}
    >
      <p>{t('tags.deleteText')}</p>
      {userCount + groupCount === 0 ? null : <p>{t('tags.deleteUsed', { count: userCount + groupCount })}</p>}
    </Confirm>
  )
}
