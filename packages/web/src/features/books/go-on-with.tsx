import { type BookDetail, readRelatedSeries } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { SeriesCard } from '../../lists/item/item-card.tsx'
import { useMay } from '../../session/me.ts'
import { CoverGrid } from '../../ui/cover/cover-card.tsx'
import { Section } from '../../ui/layout/page.tsx'

const shownMax = 4

/** After a book that stands alone: what its author wrote besides, and what is like it. */
export const GoOnWith = ({ book: { seriesId } }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('books')
  const isAsked = useMay('series:read') && seriesId !== null
  const { data } = useLater(readRelatedSeries, { params: { id: seriesId ?? '' } }, { enabled: isAsked })
  const others = data ? [...data.byPeople, ...data.alike].slice(0, shownMax) : []
  if (others.length === 0) return null
  return (
    <Section title={t('goOnWith')}>
      <CoverGrid>
        {others.map((series) => (
          <SeriesCard key={series.id} series={series} />
        ))}
      </CoverGrid>
    </Section>
  )
}
