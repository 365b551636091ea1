import {
  addToCollection,
  listSeriesOfCollection,
  moveInCollection,
  readCollection,
  removeFromCollection,
  type SeriesDto,
} from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/queries.ts'
import { CardPages } from '../../lists/card-pages.tsx'
import { SeriesCard } from '../../lists/item-card.tsx'
import { ItemLine } from '../../lists/item-line.tsx'
import { useItemText } from '../../lists/item-text.ts'
import { OrderedRows } from '../../lists/ordered-rows.tsx'
import { pageQuery, pageSize } from '../../lists/use-pages.ts'
import { useMay } from '../../session/me.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { Synopsis } from '../../ui/detail.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { CollectionMenu } from './collection-menu.tsx'

const route = getRouteApi('/signed-in/framed/collections/$collectionId')

export const CollectionPage = (): ReactNode => {
  const { t } = useTranslation('collections')
  const { collectionId: id } = route.useParams()
  const collection = useRead(readCollection, { params: { id } })
  const text = useItemText()
  const { onMove, onRemove } = useMembers(id)
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
      actions={<CollectionMenu collection={collection} />}
    >
      {collection.summary === null ? null : <Synopsis text={collection.summary} />}
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

const useMembers = (id: string) => {
  const { t } = useTranslation('collections')
  const invalidates = [listSeriesOfCollection, readCollection]
  const move = useChange(moveInCollection, { invalidates })
  const remove = useChange(removeFromCollection, { invalidates })
  const add = useChange(addToCollection, { invalidates })
  return {
    onMove: (item: SeriesDto, position: number): void =>
      move.mutate({ params: { id, seriesId: item.id }, body: { position } }),
    onRemove: (item: SeriesDto, index?: number): void => {
      const putBack = async (): Promise<void> => {
        await add.mutateAsync({ params: { id }, body: { seriesIds: [item.id] } })
        if (index !== undefined)
          await move.mutateAsync({ params: { id, seriesId: item.id }, body: { position: index + 1 } })
      }
      remove.mutate(
        { params: { id, seriesId: item.id } },
        { onSuccess: () => toast({ text: t('removed', { title: item.title }), undo: () => void putBack() }) },
      )
    },
  }
}
