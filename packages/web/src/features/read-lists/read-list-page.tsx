import { listBooksOfReadList, readReadList } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { ItemLine } from '../../lists/item/item-line.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { FromFiles } from '../../lists/named/from-files.tsx'
import { ListMenu } from '../../lists/named/list-menu.tsx'
import { useMembers } from '../../lists/named/use-members.ts'
import { OrderedRows } from '../../lists/ordered/ordered-rows.tsx'
import { pageQuery, pageSize } from '../../lists/pages/use-pages.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { readLists } from './kind.ts'
import { MissingBooks } from './missing-books.tsx'

const route = getRouteApi('/signed-in/framed/read-lists/$readListId')

export const ReadListPage = (): ReactNode => {
  const { t } = useTranslation('read-lists')
  const { readListId: id } = route.useParams()
  const list = useRead(readReadList, { params: { id } })
  const text = useItemText()
  const mayWrite = useMay('readlists:write')
  const { onMove, onRemove } = useMembers(readLists, id)
  const actions = (
    <>
      <ReadOn id={id} />
      <ListMenu kind={readLists} list={list} />
    </>
  )
  return (
    <Page title={list.name} subtitle={text.count('books', list.bookCount)} actions={actions}>
      {list.summary === null ? null : <Synopsis text={list.summary} />}
      <FromFiles kind={readLists} list={list} />
      <OrderedRows
        label={list.name}
        source={{
          key: `read list ${id}`,
          page: (page) => pageQuery(listBooksOfReadList, { params: { id }, query: { page, pageSize } }),
        }}
        empty={<EmptyState icon="list" title={t('empty')} text={t('emptyText')} />}
        renderItem={(item, focus) => <ItemLine item={item} focus={focus} />}
        {...(mayWrite && { onRemove, ...(list.ordered && { onMove }) })}
      />
      {mayWrite ? <MissingBooks id={id} /> : null}
    </Page>
  )
}

/** The first of its books that is not finished; what comes after it is known from the list. */
const ReadOn = ({ id }: { readonly id: string }): ReactNode => {
  const { t } = useTranslation('read-lists')
  const { data } = useLater(listBooksOfReadList, { params: { id }, query: { page: 1, pageSize } })
  const next = data?.data.find(({ readProgress }) => readProgress?.completed !== true) ?? data?.data[0]
  if (!next) return null
  return (
    <Button
      component={AppLink}
      to={paths.read(next.id, { readList: id })}
      leftSection={<Icon name="play" size="small" />}
    >
      {t(next.readProgress && !next.readProgress.completed ? 'continue' : 'read')}
    </Button>
  )
}
