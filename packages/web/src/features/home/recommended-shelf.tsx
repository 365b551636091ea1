import { readRecommendations, type RecommendationDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { seriesCover } from '../../lists/item/addresses.ts'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Columns, Row, Shelf, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import homeStyles from './home-page.module.css'
import styles from './recommended-shelf.module.css'

const shownMax = 12

/** The best of what somebody might read next. It stands last: nothing moves when it is there. */
export const RecommendedShelf = (): ReactNode => {
  const { t } = useTranslation('home')
  const { data } = useLater(readRecommendations, {})
  if (data === undefined || data.recommendations.length === 0) return null
  return (
    <Section
      title={t('recommended')}
      actions={
        <Row
          as={AppLink}
          inline
          to={paths.recommendations()}
          className={homeStyles.all}
          aria-label={t('allOf', { shelf: t('recommended') })}
        >
          {t('all')}
        </Row>
      }
    >
      <Shelf as="ul" gap={3} className={styles.shelf} aria-label={t('recommended')}>
        {data.recommendations.slice(0, shownMax).map((each) => (
          <RecommendedCard key={each.externalId} recommendation={each} />
        ))}
      </Shelf>
    </Section>
  )
}

/** A recommendation that is not on this server leads to the page that explains it. */
const RecommendedCard = ({ recommendation }: { readonly recommendation: RecommendationDto }): ReactNode => {
  const { serviceSeriesId: id, title, reason } = recommendation
  return (
    <Stack as="li">
      <Columns
        as={AppLink}
        gap={3}
        align="start"
        box
        pad={2}
        to={id === null ? paths.recommendations() : paths.series(id)}
        className={styles.card}
      >
        <Cover src={id === null ? null : seriesCover({ id }, 72)} alt="" icon="series" />
        <span>
          <Text as="span" lines={2} className={styles.title} dir="auto">
            {title}
          </Text>
          <Text as="span" lines={4} quiet size={13} className={styles.reason} dir="auto">
            {reason}
          </Text>
        </span>
      </Columns>
    </Stack>
  )
}
