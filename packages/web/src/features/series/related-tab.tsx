import { listCollectionsOfSeries, readRelatedSeries, type SeriesDetail, type SeriesDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { SeriesCard } from '../../lists/item/item-card.tsx'
import { leadingNames } from '../../lists/people.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { CoverGrid } from '../../ui/cover/cover-card.tsx'
import { Chips } from '../../ui/detail/chips.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { WayOut } from '../../navigation/way-out.tsx'

/** What else there is: by the same people, and like it. */
export const RelatedTab = ({ series: { id, metadata } }: { readonly series: SeriesDetail }): ReactNode => {
  const { t, i18n } = useTranslation('series')
  const { data } = useLater(readRelatedSeries, { params: { id } })
  const collections = useLater(
    listCollectionsOfSeries,
    { params: { id }, query: { pageSize: 20 } },
    { enabled: useMay('collections:read') },
  )
  if (!data) return null
  const { byPeople, alike } = data
  const names = new Intl.ListFormat(i18n.resolvedLanguage).format(leadingNames(metadata.authors).names)
  const inCollections = collections.data?.data ?? []
  return (
    <Stack gap={5}>
      {byPeople.length === 0 ? null : (
        <Section title={names === '' ? t('relatedByPeople') : t('relatedBy', { names })}>
          <SeriesGrid series={byPeople} />
        </Section>
      )}
      {alike.length === 0 ? null : (
        <Section title={t('alike')}>
          <SeriesGrid series={alike} />
        </Section>
      )}
      {inCollections.length === 0 ? null : (
        <Section title={t('inCollections')}>
          <Chips
            label={t('inCollections')}
            link={AppLink}
            chips={inCollections.map((each) => ({ label: each.name, to: paths.collection(each.id) }))}
          />
        </Section>
      )}
      {byPeople.length + alike.length === 0 ? (
        <EmptyState icon="series" title={t('nothingRelated')} action={<WayOut />} />
      ) : null}
    </Stack>
  )
}

const SeriesGrid = ({ series }: { readonly series: readonly SeriesDto[] }): ReactNode => (
  <CoverGrid>
    {series.map((each) => (
      <SeriesCard key={each.id} series={each} />
    ))}
  </CoverGrid>
)
