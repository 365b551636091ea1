import { listBooksOfReadList, readReadList, readReadListAhead } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { ItemLine } from '../../lists/item/item-line.tsx'
import { FromFiles } from '../../lists/named/from-files.tsx'
import { ListPageFrame } from '../../lists/named/list-head.tsx'
import { ListMenu } from '../../lists/named/list-menu.tsx'
import { NextMark } from '../../lists/named/next-mark.tsx'
import { useMembers } from '../../lists/named/use-members.ts'
import { OrderedRows } from '../../lists/ordered/ordered-rows.tsx'
import { pageQuery, pageSize } from '../../lists/pages/use-pages.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { EmptyState } from '../../ui/state/state.tsx'
import { readLists } from './kind.ts'
import { MissingBooks } from './missing-books.tsx'
import { WayOut } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/read-lists/$readListId')

export const ReadListPage = (): ReactNode => {
  const { t } = useTranslation('read-lists')
  const { readListId: id } = route.useParams()
  const list = useRead(readReadList, { params: { id } })
  const { data: ahead } = useLater(readReadListAhead, { params: { id } }, { enabled: useMay('books:read') })
  const { data: first } = useLater(listBooksOfReadList, { params: { id }, query: { page: 1, pageSize } })
  const mayWrite = useMay('readlists:write')
  const { onMove, onRemove } = useMembers(readLists, id)
  const nextId = ahead && ahead.read < ahead.of ? ahead.next?.id : undefined
  return (
    <ListPageFrame
      icon="list"
      name={list.name}
      summary={list.summary}
      members={first?.data ?? []}
      count={list.bookCount}
      facts={[]}
      ahead={ahead}
      readAt={(bookId) => paths.read(bookId, { readList: id })}
      actions={<ListMenu kind={readLists} list={list} />}
    >
      <FromFiles kind={readLists} list={list} />
      <OrderedRows
        label={list.name}
        source={{
          key: `read list ${id}`,
          page: (page) => pageQuery(listBooksOfReadList, { params: { id }, query: { page, pageSize } }),
        }}
        empty={
          <EmptyState icon="list" title={t('empty')} text={t('emptyText')} action={<WayOut to={paths.bookList()} />} />
        }
        renderItem={(item, focus) => (
          <NextMark isNext={item.id === nextId} on="line">
            <ItemLine item={item} focus={focus} />
          </NextMark>
        )}
        {...(mayWrite && { onRemove, ...(list.ordered && { onMove }) })}
      />
      {mayWrite ? <MissingBooks id={id} /> : null}
    </ListPageFrame>
  )
}
