import {
  addWantToRead,
  dropBookToRead,
  dropSeriesToRead,
  listWantToRead,
  orderWantToRead,
  type WantToReadEntryDto,
} from '@carrel/api'
import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, useChange } from '../../api/queries.ts'
import { BookName, useItemName } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { bookCover, seriesCover } from '../../lists/item/addresses.ts'
import { OrderedRows } from '../../lists/ordered/ordered-rows.tsx'
import rowStyles from '../../lists/ordered/ordered-rows.module.css'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { pageQuery, pageSize } from '../../lists/pages/use-pages.ts'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Columns, Text } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { WayOut } from '../../navigation/way-out.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import type { ItemFocus } from '../../ui/virtual/virtual-list.tsx'
import { wantToReadOrders } from './orders.ts'

const route = getRouteApi('/signed-in/framed/want-to-read')
type Sort = (typeof wantToReadOrders)[number]

const pageOf = (sort: Sort) => (page: number) => pageQuery(listWantToRead, { query: { page, pageSize, sort } })

export const WantToReadPage = (): ReactNode => {
  const { t } = useTranslation('want-to-read')
  const { sort = 'custom' } = route.useSearch()
  const goTo = useGoTo()
  const { onMove, onRemove } = useEntries()
  return (
    <Page
      title={t('title')}
      actions={
        <NativeSelect
          aria-label={t('sortBy')}
          value={sort}
          data={wantToReadOrders.map((value) => ({ value, label: t(`sort.${value}`) }))}
          onChange={({ currentTarget: { value } }) =>
            goTo(value === 'custom' ? paths.wantToRead() : `${paths.wantToRead()}?sort=${value}`)()
          }
        />
      }
    >
      <OrderedRows
        key={sort}
        label={t('title')}
        source={{ key: `want to read ${sort}`, page: pageOf(sort) }}
        empty={<EmptyState icon="heart" title={t('none')} text={t('noneText')} action={<WayOut />} />}
        renderItem={(entry, focus) => <Entry entry={entry} focus={focus} />}
        onRemove={onRemove}
        onMove={sort === 'custom' ? onMove : undefined}
      />
    </Page>
  )
}

const Entry = ({ entry, focus }: { readonly entry: WantToReadEntryDto; readonly focus: ItemFocus }): ReactNode => {
  const { t } = useTranslation('want-to-read')
  const { seriesId, bookId, title, seriesName, itemType } = entry
  const isSeries = seriesId !== null
  const id = seriesId ?? bookId ?? ''
  return (
    <Columns
      as={AppLink}
      gap={3}
      align="center"
      grow
      to={isSeries ? paths.series(id) : paths.book(id)}
      className={rowStyles.item}
      {...focus}
    >
      <Cover src={isSeries ? seriesCover({ id }, 44) : bookCover({ id }, 44)} alt="" icon={itemType} />
      <span>
        <Text as="span" lines={2} className={rowStyles.name} dir="auto">
          {seriesName === null ? title : <BookName book={{ ...entry, seriesName }} place="mixed" />}
        </Text>
        <Text as="span" lines={1} quiet size={13}>
          {t(`kind.${itemType}`)}
        </Text>
      </span>
    </Columns>
  )
}

const useEntries = () => {
  const { t } = useTranslation('want-to-read')
  const nameOf = useItemName()
  const invalidates = [listWantToRead]
  const order = useChange(orderWantToRead, { invalidates })
  const dropSeries = useChange(dropSeriesToRead, { invalidates })
  const dropBook = useChange(dropBookToRead, { invalidates })
  const add = useChange(addWantToRead, { invalidates })

  /** The entries between the old position and the new one share those positions in their new order. */
  const onMove = async (entry: WantToReadEntryDto, position: number): Promise<void> => {
    const page = pageOf('custom')
    const first = await queryClient.fetchQuery(page(1))
    const ids: string[] = []
    for (let number = 1; number <= first.body.totalPages; number += 1) {
      ids.push(...(await queryClient.fetchQuery(page(number))).body.data.map(({ id }) => id))
      if (ids.length >= position && ids.includes(entry.id)) break
    }
    const moved = ids.toSpliced(ids.indexOf(entry.id), 1).toSpliced(position - 1, 0, entry.id)
    order.mutate({ body: { ids: moved } })
  }
  const onRemove = (entry: WantToReadEntryDto): void => {
    const { seriesId, bookId } = entry
    const title = nameOf(entry)
    const undo = (): void => add.mutate({ body: { seriesId, bookId } })
    const onSuccess = (): void => toast({ text: t('dropped', { title }), undo })
    if (seriesId !== null) dropSeries.mutate({ params: { id: seriesId } }, { onSuccess })
    if (bookId !== null) dropBook.mutate({ params: { id: bookId } }, { onSuccess })
  }
  return { onMove: (entry: WantToReadEntryDto, position: number): void => void onMove(entry, position), onRemove }
}
