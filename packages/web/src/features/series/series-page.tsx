import { readSeries } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { seriesCover } from '../../lists/item/addresses.ts'
import { ItemList } from '../../lists/item-list.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { parseListSearch } from '../../lists/search/list-search.ts'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { DetailHead } from '../../ui/detail/detail-head.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { useGapsText } from './gaps-text.ts'
import { SeriesActions } from './series-actions.tsx'
import { SeriesDetails } from './series-details.tsx'

const route = getRouteApi('/signed-in/framed/series/$seriesId')

export const SeriesPage = (): ReactNode => {
  const { t } = useTranslation('series')
  const { seriesId } = route.useParams()
  const series = useRead(readSeries, { params: { id: seriesId } })
  const search = parseListSearch('books', route.useSearch())
  const text = useItemText()
  const gaps = useGapsText(seriesId)
  const { status } = series.metadata
  const figures = [
    series.year === null ? undefined : String(series.year),
    status === null || status === 'unknown' ? undefined : t(`status.${status}`),
    series.publisher ?? undefined,
  ]
  const counts = [
    text.count('books', series.bookCount),
    series.unreadCount === 0 ? t('allRead') : text.count('unread', series.unreadCount),
  ]
  return (
    <Stack gap={6}>
      <DetailHead
        cover={
          <Cover
            src={seriesCover(series, 240)}
            thumbhash={series.placeholder}
            alt=""
            icon="series"
            isFirst
            key={series.coverVersion}
          />
        }
        above={<AppLink to={paths.library(series.libraryId)}>{series.libraryName}</AppLink>}
        title={series.title}
        lines={[figures.filter(Boolean).join(' · '), counts.join(' · '), gaps].filter((line) => line !== '')}
        actions={<SeriesActions series={series} />}
      >
        {series.summary === null ? null : <Synopsis text={series.summary} />}
        <SeriesDetails series={series} />
      </DetailHead>
      <Section title={t('books')}>
        <ItemList
          kind="books"
          scope={{ seriesId }}
          search={search}
          label={t('booksOf', { title: series.title })}
          empty={<EmptyState icon="book" title={t('noBooks')} text={t('noBooksText')} />}
        />
      </Section>
    </Stack>
  )
}
