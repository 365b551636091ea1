import type { DismissReason, RecommendationDto } from '@carrel/api'
import { Button, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { seriesCover } from '../../lists/item/addresses.ts'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { usePuttingAway } from './put-away.ts'
import styles from './recommendations.module.css'
import { useRecommendationText } from './recommendation-text.ts'
import { WantIt } from './want-it.tsx'

interface CardProps {
  readonly recommendation: RecommendationDto
  readonly heading: 'h2' | 'h3'
  /** The plugin is named here only where no heading names it. */
  readonly plugin: string | undefined
  readonly isOnList: boolean
  /** It is about to go away. */
  readonly onLeave: () => void
}

/** One of them: what it is, why it stands here, and what one can do about it. */
export const RecommendationCard = ({ recommendation, plugin, isOnList, onLeave, heading }: CardProps): ReactNode => {
  const { t } = useTranslation('recommendations')
  const text = useRecommendationText()
  const { serviceSeriesId: id, title, reason, summary } = recommendation
  const alsoBasedOn = text.alsoBasedOn(recommendation)
  return (
    <Stack as="li">
      <Columns as="article" gap={4} rowGap={3} box pad={3} className={styles.card}>
        <CoverOf id={id} />
        <div className={styles.words}>
          <TitleOf id={id} title={title} heading={heading} />
          <Row as="p" gap={2} rowGap={1} align="baseline" wrap className={styles.details} dir="auto">
            <span>{text.details(recommendation)}</span>
            <Mark kind={id === null ? 'plain' : 'good'}>{text.availability(recommendation)}</Mark>
          </Row>
          <p className={styles.reason} dir="auto">
            {reason}
          </p>
          {alsoBasedOn === '' ? null : (
            <Text quiet size={13}>
              {t('alsoBasedOn', { titles: alsoBasedOn })}
            </Text>
          )}
          {summary === null ? null : <Synopsis text={summary} />}
          {plugin === undefined ? null : (
            <Text quiet size={13}>
              {t('saidBy', { name: plugin })}
            </Text>
          )}
          <Row gap={2} align="stretch" wrap touch className={styles.actions}>
            {id === null ? (
              <Outside recommendation={recommendation} />
            ) : (
              <WantIt id={id} title={title} isOnList={isOnList} />
            )}
            <NotForMe recommendation={recommendation} onLeave={onLeave} />
          </Row>
        </div>
      </Columns>
    </Stack>
  )
}

interface OfSeries {
  /** It is null when the series is not on this server: covers from elsewhere are not shown. */
  readonly id: string | null
}

const CoverOf = ({ id }: OfSeries): ReactNode => {
  if (id === null)
    return (
      <div className={styles.cover}>
        <Cover src={null} alt="" icon="series" />
      </div>
    )
  // The title beside it leads there too: the keyboard needs it once.
  return (
    <AppLink to={paths.series(id)} className={styles.cover} tabIndex={-1} aria-hidden="true">
      <Cover src={seriesCover({ id }, 96)} alt="" icon="series" />
    </AppLink>
  )
}

const TitleOf = ({
  id,
  title,
  heading: Heading,
}: OfSeries & Pick<CardProps, 'heading'> & { readonly title: string }): ReactNode => (
  <Heading className={styles.title} dir="auto" tabIndex={-1}>
    {id === null ? (
      title
    ) : (
      <AppLink to={paths.series(id)} className={styles.titleLink}>
        {title}
      </AppLink>
    )}
  </Heading>
)

/** Only web addresses are linked, and without a referrer. */
const Outside = ({ recommendation }: Pick<CardProps, 'recommendation'>): ReactNode => {
  const { t } = useTranslation('recommendations')
  const { externalUrl, title } = recommendation
  if (externalUrl === null || !/^https?:\/\//i.test(externalUrl) || !URL.canParse(externalUrl)) return null
  const host = new URL(externalUrl).hostname
  return (
    <Button
      component="a"
      variant="default"
      size="xs"
      href={externalUrl}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('lookAtOf', { host, title })}
    >
      {t('lookAt', { host })}
    </Button>
  )
}

const NotForMe = ({ recommendation, onLeave }: Pick<CardProps, 'recommendation' | 'onLeave'>): ReactNode => {
  const { t } = useTranslation('recommendations')
  const { putAway } = usePuttingAway()
  const { title, inService } = recommendation
  const reasons: readonly (readonly [DismissReason, string])[] = [
    ['not_interested', t('notInterested')],
    ['already_read', t('alreadyRead')],
    // Series on this server are owned in any case.
    ...(inService ? [] : [['already_owned', t('alreadyOwned')] as const]),
  ]
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs" aria-label={t('notForMeOf', { title })}>
          {t('notForMe')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {reasons.map(([reason, words]) => (
          <Menu.Item
            key={reason}
            className={styles.choice ?? ''}
            onClick={() => {
              onLeave()
              putAway(recommendation, reason)
            }}
          >
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
