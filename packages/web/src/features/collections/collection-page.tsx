import { listSeriesOfCollection, readCollection, readCollectionAhead, type SeriesDto } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { CardPages } from '../../lists/pages/card-pages.tsx'
import { SeriesCard } from '../../lists/item/item-card.tsx'
import { ItemLine } from '../../lists/item/item-line.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { FromFiles } from '../../lists/named/from-files.tsx'
import { ListPageFrame } from '../../lists/named/list-head.tsx'
import { ListMenu } from '../../lists/named/list-menu.tsx'
import { NextMark } from '../../lists/named/next-mark.tsx'
import { useMembers } from '../../lists/named/use-members.ts'
import { OrderedRows } from '../../lists/ordered/ordered-rows.tsx'
import { pageQuery, pageSize } from '../../lists/pages/use-pages.ts'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { collections } from './kind.ts'
import { WayOut } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/collections/$collectionId')

export const CollectionPage = (): ReactNode => {
  const { t } = useTranslation('collections')
  const { collectionId: id } = route.useParams()
  const collection = useRead(readCollection, { params: { id } })
  const { data: ahead } = useLater(readCollectionAhead, { params: { id } }, { enabled: useMay('books:read') })
  const { data: first } = useLater(listSeriesOfCollection, { params: { id }, query: { page: 1, pageSize } })
  const text = useItemText()
  const { onMove, onRemove } = useMembers(collections, id)
  const mayWrite = useMay('collections:write') && !collection.automatic
  const nextId = ahead && ahead.read < ahead.of ? ahead.next?.seriesId : undefined
  const removalOf = (item: SeriesDto): ReactNode => (
    <IconAction icon="close" label={t('remove', { title: item.title })} onClick={() => onRemove(item)} />
  )
  const list = {
    label: collection.name,
    source: {
      key: `collection ${id}`,
      page: (page: number) => pageQuery(listSeriesOfCollection, { params: { id }, query: { page, pageSize } }),
    },
    empty: <Empty isAutomatic={collection.automatic} />,
  }
  return (
    <ListPageFrame
      icon="series"
      name={collection.name}
      summary={collection.summary}
      members={first?.data ?? []}
      count={collection.seriesCount}
      facts={[text.count('series', collection.seriesCount), collection.automatic ? t('automatic') : undefined]}
      ahead={ahead}
      readAt={paths.read}
      actions={<ListMenu kind={collections} list={collection} />}
    >
      <FromFiles kind={collections} list={collection} />
      {collection.ordered && !collection.automatic ? (
        <OrderedRows
          {...list}
          renderItem={(item, focus) => (
            <NextMark isNext={item.id === nextId} on="line">
              <ItemLine item={item} focus={focus} />
            </NextMark>
          )}
          {...(mayWrite && { onRemove, onMove })}
        />
      ) : (
        <CardPages
          {...list}
          renderCard={(item, card) => (
            <NextMark isNext={item.id === nextId} on="card">
              <SeriesCard series={item} {...card} actions={mayWrite ? removalOf(item) : undefined} />
            </NextMark>
          )}
        />
      )}
    </ListPageFrame>
  )
}

const Empty = ({ isAutomatic }: { readonly isAutomatic: boolean }): ReactNode => {
  const { t } = useTranslation('collections')
  return (
    <EmptyState
      icon="collection"
      title={t('empty')}
      text={t(isAutomatic ? 'emptyAutomatic' : 'emptyText')}
      action={<WayOut />}
    />
  )
}
