import { listCollectionsOfSeries, type SeriesDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { searchFor } from '../../lists/search/list-search.ts'
import { OuterLinks, People, Terms } from '../../lists/terms.tsx'
import { useDetailRows } from '../../metadata/detail-rows.ts'
import { Provenance } from '../../metadata/provenance.tsx'
import { useChoiceText } from '../../metadata/value-text.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useLanguageName } from '../../text/language-name.ts'
import { type DetailRow, Details } from '../../ui/detail/details.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { useAverageText } from './average-text.ts'
import { useGapsText } from './gaps-text.ts'
import { SeriesFiles } from './series-files.tsx'

/** All that is known of a series, who says it, and where its files are. */
export const DetailsTab = ({ series }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const maySeeFiles = useMay('libraries:write')
  return (
    <Stack gap={6}>
      <Details rows={useRows(series)} />
      <Section title={t('provenance')} text={t('provenanceText')}>
        <Provenance kind="series" id={series.id} />
      </Section>
      {maySeeFiles ? <SeriesFiles series={series} /> : null}
    </Stack>
  )
}

const useRows = (series: SeriesDetail): DetailRow[] => {
  const { t } = useTranslation('series')
  const text = useItemText()
  const { metadata } = series
  const details = useDetailRows('series', metadata)
  const gaps = useGapsText(series.id)
  return [
    ...useMetadataRows(series),
    ...details,
    { label: t('missing'), value: gaps },
    { label: t('averageRating'), value: useAverageText(series.id) },
    { label: t('collections'), value: useCollectionLinks(series.id) },
    { label: t('otherTitles'), value: metadata.alternateTitles.map(({ title }) => title).join(' · ') },
    {
      label: t('links'),
      value: series.externalLinks.length > 0 ? <OuterLinks links={series.externalLinks} /> : null,
    },
    { label: t('added'), value: text.date(series.createdAt) },
  ]
}

const useCollectionLinks = (id: string): ReactNode => {
  const enabled = useMay('collections:read')
  const { data } = useLater(listCollectionsOfSeries, { params: { id }, query: { pageSize: 20 } }, { enabled })
  if (!data || data.data.length === 0) return null
  return data.data.map((each) => (
    <AppLink key={each.id} to={paths.collection(each.id)}>
      {each.name}
    </AppLink>
  ))
}

const useMetadataRows = ({ metadata }: SeriesDetail): DetailRow[] => {
  const { t } = useTranslation('series')
  const languageName = useLanguageName()
  const choiceText = useChoiceText()
  const to = (name: 'publisher' | 'language') => (value: string) => paths.seriesList() + searchFor(name, value)
  const { publisher, language, status, readingDirection, year } = metadata
  return [
    {
      label: t('people'),
      value: metadata.authors.length > 0 ? <People people={metadata.authors} to={paths.person} /> : null,
    },
    {
      label: t('genres'),
      value: metadata.genres.length > 0 ? <Terms terms={metadata.genres} to={paths.genre} /> : null,
    },
    { label: t('tags'), value: metadata.tags.length > 0 ? <Terms terms={metadata.tags} to={paths.tag} /> : null },
    { label: t('publisher'), value: publisher === null ? null : <Terms terms={[publisher]} to={to('publisher')} /> },
    {
      label: t('language'),
      value: language === null ? null : <AppLink to={to('language')(language)}>{languageName(language)}</AppLink>,
    },
    { label: t('year'), value: year === null ? null : String(year) },
    { label: t('statusLabel'), value: status === null ? null : choiceText(status) },
    { label: t('direction'), value: readingDirection === null ? null : choiceText(readingDirection) },
    { label: t('ageRating'), value: metadata.ageRating === null ? null : t('fromAge', { age: metadata.ageRating }) },
  ]
}
