import { type BookDto, type ListedWantToRead, listWantToRead, type SeriesDto } from '@carrel/api'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BookCard, SeriesCard } from '../../lists/item/item-card.tsx'
import { ItemLine } from '../../lists/item/item-line.tsx'
import { ChosenItems } from '../../lists/menu/use-menu-of.ts'
import { OrderedRows } from '../../lists/ordered/ordered-rows.tsx'
import { CardPages } from '../../lists/pages/card-pages.tsx'
import { type ListSource, pageQuery, pageSize } from '../../lists/pages/use-pages.ts'
import { SelectBox } from '../../lists/selection/select-box.tsx'
import { SelectionBar } from '../../lists/selection/selection-bar.tsx'
import { useSelection } from '../../lists/selection/use-selection.ts'
import { WayOut } from '../../navigation/way-out.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import type { WantToReadSort } from './orders.ts'
import { useEntries } from './use-entries.ts'
import { WantToReadToolbar } from './want-to-read-toolbar.tsx'

const route = getRouteApi('/signed-in/framed/want-to-read')

const sourceOf = (sort: WantToReadSort): ListSource<ListedWantToRead> => ({
  key: `want to read ${sort}`,
  page: (page) => pageQuery(listWantToRead, { query: { page, pageSize, sort } }),
})

export const WantToReadPage = (): ReactNode => {
  const { t } = useTranslation('want-to-read')
  const { sort = 'custom', view } = route.useSearch()
  const source = sourceOf(sort)
  const total = useQuery(source.page(1)).data?.body.total
  const selection = useSelection(source)
  const chosen = [...selection.items.values()].flatMap((entry) => itemOf(entry) ?? [])
  const { onMove, onRemove } = useEntries(sourceOf('custom'))
  const list = {
    label: t('title'),
    source,
    empty: <EmptyState icon="heart" title={t('none')} text={t('noneText')} action={<WayOut />} />,
  }
  return (
    <Page title={t('title')}>
      {total === 0 ? null : (
        <WantToReadToolbar sort={sort} view={view} total={total} onSelect={() => selection.choose(true)} />
      )}
      {view === 'rows' ? (
        <OrderedRows
          key={sort}
          {...list}
          renderItem={(entry, focus) => {
            const item = itemOf(entry)
            return item && <ItemLine item={item} focus={focus} />
          }}
          onRemove={onRemove}
          onMove={sort === 'custom' ? onMove : undefined}
        />
      ) : (
        <ChosenItems value={new Map(chosen.map((item) => [item.id, item]))}>
          <CardPages
            key={sort}
            {...list}
            selection={selection}
            renderCard={(entry, { index, ...card }) => (
              <EntryCard
                {...card}
                entry={entry}
                isChoosing={selection.isChoosing}
                actions={<SelectBox item={entry} index={index} selection={selection} />}
              />
            )}
          />
        </ChosenItems>
      )}
      <SelectionBar kind={undefined} items={chosen} selection={selection} total={total} />
    </Page>
  )
}

const itemOf = ({ series, book }: ListedWantToRead): SeriesDto | BookDto | null => series ?? book

type CardProps = Omit<Parameters<typeof SeriesCard>[0], 'series'>

const EntryCard = ({
  entry: { series, book },
  ...card
}: CardProps & { readonly entry: ListedWantToRead }): ReactNode => {
  if (series) return <SeriesCard {...card} series={series} />
  return book && <BookCard {...card} book={book} />
}
