import { listSeriesOfCollection, readCollection } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { CardPages } from '../../lists/pages/card-pages.tsx'
import { SeriesCard } from '../../lists/item/item-card.tsx'
import { ItemLine } from '../../lists/item/item-line.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { FromFiles } from '../../lists/named/from-files.tsx'
import { ListMenu } from '../../lists/named/list-menu.tsx'
import { useMembers } from '../../lists/named/use-members.ts'
import { OrderedRows } from '../../lists/ordered/ordered-rows.tsx'
import { pageQuery, pageSize } from '../../lists/pages/use-pages.ts'
import { useMay } from '../../session/me.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { collections } from './kind.ts'

const route = getRouteApi('/signed-in/framed/collections/$collectionId')

export const CollectionPage = (): ReactNode => {
  const { t } = useTranslation('collections')
  const { collectionId: id } = route.useParams()
  const collection = useRead(readCollection, { params: { id } })
  const text = useItemText()
  const { onMove, onRemove } = useMembers(collections, id)
  const mayWrite = useMay('collections:write') && !collection.automatic
  const list = {
    label: collection.name,
    source: {
      key: `collection ${id}`,
      page: (page: number) => pageQuery(listSeriesOfCollection, { params: { id }, query: { page, pageSize } }),
    },
    empty: (
      <EmptyState
        icon="collection"
        title={t('empty')}
        text={t(collection.automatic ? 'emptyAutomatic' : 'emptyText')}
      />
    ),
  }
  const count = text.count('series', collection.seriesCount)
  return (
    <Page
      title={collection.name}
      subtitle={collection.automatic ? `${count} · ${t('automatic')}` : count}
      actions={<ListMenu kind={collections} list={collection} />}
    >
      {collection.summary === null ? null : <Synopsis text={collection.summary} />}
      <FromFiles kind={collections} list={collection} />
      {collection.ordered && !collection.automatic ? (
        <OrderedRows
          {...list}
          renderItem={(item, focus) => <ItemLine item={item} focus={focus} />}
          {...(mayWrite && { onRemove, onMove })}
        />
      ) : (
        <CardPages
          {...list}
          renderCard={(item, card) => (
            <SeriesCard
              series={item}
              {...card}
              actions={
                mayWrite ? (
                  <IconAction icon="close" label={t('remove', { title: item.title })} onClick={() => onRemove(item)} />
                ) : undefined
              }
            />
          )}
        />
      )}
    </Page>
  )
}
