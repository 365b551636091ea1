import { listCollectionsOfSeries, readAverageRating, type SeriesDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { searchFor } from '../../lists/search/list-search.ts'
import { OuterLinks, People, Terms } from '../../lists/terms.tsx'
import { useDetailRows } from '../../metadata/detail-rows.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { type DetailRow, Details } from '../../ui/detail/details.tsx'
import { ReadingStatusSelect } from './reading-status.tsx'
import { SeriesRatingRow } from './series-rating.tsx'

/** Names in the details lead to everything else that carries them. */
export const SeriesDetails = ({ series }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const text = useItemText()
  const params = { id: series.id }
  const maySeeCollections = useMay('collections:read')
  const collections = useLater(
    listCollectionsOfSeries,
    { params, query: { pageSize: 20 } },
    { enabled: maySeeCollections },
  )
  const average = useLater(readAverageRating, { params })
  const { metadata } = series
  const details = useDetailRows('series', metadata)
  const { data: others } = average
  return (
    <Details
      rows={[
        { label: t('yourStatus'), value: <ReadingStatusSelect series={series} /> },
        {
          label: t('readThrough'),
          value:
            series.lastCompletedAt === null
              ? null
              : t('readTimes', { count: series.readCount, day: text.date(series.lastCompletedAt) }),
        },
        { label: t('yourRating'), value: <SeriesRatingRow seriesId={series.id} /> },
        {
          label: t('averageRating'),
          value:
            others && others.count > 1 && others.average !== null
              ? t('average', { value: Math.round(others.average) / 20, count: others.count })
              : null,
        },
        ...useMetadataRows(series),
        ...details,
        {
          label: t('collections'),
          value:
            collections.data && collections.data.data.length > 0
              ? collections.data.data.map(({ id, name }) => (
                  <AppLink key={id} to={paths.collection(id)}>
                    {name}
                  </AppLink>
                ))
              : null,
        },
        { label: t('otherTitles'), value: metadata.alternateTitles.map(({ title }) => title).join(' · ') },
        {
          label: t('links'),
          value: series.externalLinks.length > 0 ? <OuterLinks links={series.externalLinks} /> : null,
        },
        { label: t('added'), value: text.date(series.createdAt) },
      ]}
    />
  )
}

const useMetadataRows = ({ metadata }: SeriesDetail): DetailRow[] => {
  const { t, i18n } = useTranslation('series')
  const to = (name: 'genre' | 'tag' | 'person' | 'publisher' | 'language') => (value: string) =>
    paths.seriesList() + searchFor(name, value)
  return [
    {
      label: t('people'),
      value: metadata.authors.length > 0 ? <People people={metadata.authors} to={to('person')} /> : null,
    },
    {
      label: t('genres'),
      value: metadata.genres.length > 0 ? <Terms terms={metadata.genres} to={to('genre')} /> : null,
    },
    { label: t('tags'), value: metadata.tags.length > 0 ? <Terms terms={metadata.tags} to={to('tag')} /> : null },
    {
      label: t('publisher'),
      value: metadata.publisher === null ? null : <Terms terms={[metadata.publisher]} to={to('publisher')} />,
    },
    {
      label: t('language'),
      value:
        metadata.language === null ? null : (
          <AppLink to={to('language')(metadata.language)}>
            {languageName(metadata.language, i18n.resolvedLanguage)}
          </AppLink>
        ),
    },
    {
      label: t('ageRating'),
      value: metadata.ageRating === null ? null : t('fromAge', { age: metadata.ageRating }),
    },
  ]
}

const languageName = (tag: string, speaking: string | undefined): string => {
  try {
    return new Intl.DisplayNames(speaking, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
