import { type MatchCandidate, type MetadataMatch, readBook, readSeries } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { bookCover, seriesCover } from '../../lists/item/addresses.ts'
import { paths } from '../../navigation/paths.ts'
import { useProviders } from '../../session/providers.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Candidate, Candidates } from './candidate.tsx'
import { useMatchText } from './match-text.ts'
import { matchables } from './matchable.ts'
import styles from './queue.module.css'
import { addressFor } from './use-going.ts'
import { useReview } from './use-review.ts'

interface QueueCardProps {
  readonly match: MetadataMatch
}

const shownAtFirst = 3

/** A series or a book, what it may be, and the three answers. */
export const QueueCard = ({ match }: QueueCardProps): ReactNode => {
  const { t } = useTranslation('matching')
  const text = useMatchText()
  const [isOpen, setOpen] = useState(false)
  const plugin = usePluginName(match)
  const review = useReview(match, plugin)
  const { id, title, confidence, candidates } = match
  const shown = isOpen ? candidates : candidates.slice(0, shownAtFirst)
  const hidden = candidates.length - shown.length
  return (
    <Columns as="li" gap={4} box pad={4} className={styles.card} data-match={id} tabIndex={-1} aria-label={title}>
      <Ours match={match} />
      <Stack gap={2} className={styles.theirs}>
        <Text quiet size={14}>
          {confidence === null
            ? t('queue.takes', { plugin })
            : t('queue.takesSure', { plugin, sure: text.sure(confidence) })}
        </Text>
        <Candidates label={t('queue.candidates', { title })}>
          {shown.map((candidate, index) => (
            <Candidate
              key={candidate.externalId}
              candidate={candidate}
              to={addressOf(match, candidate)}
              actions={<Answers match={match} candidate={candidate} isFirst={index === 0} review={review} />}
            />
          ))}
        </Candidates>
        <Row gap={2} align="stretch" justify="between" wrap touch="wide" className={styles.foot}>
          {hidden > 0 ? (
            <Button variant="subtle" onClick={() => setOpen(true)}>
              {t('queue.showMore', { count: hidden })}
            </Button>
          ) : null}
          {candidates.length > 1 ? (
            <Button
              variant="default"
              disabled={review.isBusy}
              aria-label={t('queue.noneOf', { title })}
              onClick={() => review.refuse()}
            >
              {t('queue.noneOfThese')}
            </Button>
          ) : null}
        </Row>
      </Stack>
    </Columns>
  )
}

/** A plugin that is switched off or removed is shown by its technical name. */
const usePluginName = ({ entity, libraryId, pluginId, pluginName }: MetadataMatch): string =>
  useProviders(entity, libraryId).find((each) => each.pluginId === pluginId)?.pluginDisplayName ?? pluginName

const addressOf = ({ id, entity, entityId, pluginId }: MetadataMatch, { externalId }: MatchCandidate): string =>
  addressFor(matchables[entity], entityId, { plugin: pluginId, candidate: externalId, match: id })

/** It shows the present state. */
const Ours = ({ match }: QueueCardProps): ReactNode =>
  match.entity === 'series' ? <OurSeries match={match} /> : <OurBook match={match} />

const OurSeries = ({ match: { entityId, title } }: QueueCardProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { data } = useLater(readSeries, { params: { id: entityId } })
  const details = [
    data?.year == null ? null : String(data.year),
    data?.publisher ?? null,
    data === undefined ? null : t('books', { count: data.bookCount }),
    data?.libraryName ?? null,
  ]
  const address = paths.series(entityId)
  return (
    <Our
      title={title}
      address={address}
      details={details}
      shown={data}
      cover={data && seriesCover(data)}
      icon="series"
    />
  )
}

const OurBook = ({ match: { entityId, title } }: QueueCardProps): ReactNode => {
  const { data } = useLater(readBook, { params: { id: entityId } })
  const nameOf = useItemName()
  const details = [data?.libraryName ?? null]
  const address = paths.book(entityId)
  const name = data === undefined ? title : nameOf(data)
  return (
    <Our title={name} address={address} details={details} shown={data} cover={data && bookCover(data)} icon="book" />
  )
}

interface OurProps {
  readonly title: string
  readonly address: string
  readonly details: readonly (string | null)[]
  readonly shown: { readonly coverVersion: string; readonly placeholder: string | null } | undefined
  readonly cover: string | undefined
  readonly icon: 'series' | 'book'
}

const Our = ({ title, address, details, shown, cover, icon }: OurProps): ReactNode => {
  return (
    <Stack gap={2} className={styles.ours}>
      <div className={styles.cover}>
        <Cover key={shown?.coverVersion} src={cover ?? null} thumbhash={shown?.placeholder} alt="" icon={icon} />
      </div>
      <Stack gap="hair" align="start" className={styles.oursWords}>
        <AppLink to={address} className={styles.title} dir="auto">
          {title}
        </AppLink>
        <Text as="span" quiet size={14} dir="auto">
          {details.filter((detail) => detail !== null && detail !== '').join(' · ')}
        </Text>
      </Stack>
    </Stack>
  )
}

interface AnswersProps extends QueueCardProps {
  readonly candidate: MatchCandidate
  /** The keys are for the first. */
  readonly isFirst: boolean
  readonly review: ReturnType<typeof useReview>
}

const Answers = ({ match, candidate, isFirst, review }: AnswersProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { externalId, title } = candidate
  const key = (name: string) => (isFirst ? { 'data-key': name } : {})
  return (
    <>
      <Button
        {...key('accept')}
        variant={isFirst ? 'filled' : 'default'}
        disabled={review.isBusy}
        loading={review.accepting === externalId}
        aria-label={t('queue.acceptOf', { title })}
        onClick={() => review.accept(externalId)}
      >
        {t('queue.accept')}
      </Button>
      <Button
        {...key('look')}
        variant="default"
        component={AppLink}
        to={addressOf(match, candidate)}
        aria-label={t('queue.lookOf', { title })}
      >
        {t('queue.look')}
      </Button>
      <Button
        {...key('refuse')}
        variant="default"
        disabled={review.isBusy}
        aria-label={t('queue.refuseOf', { title })}
        onClick={() => review.refuse(externalId)}
      >
        {t('notThisOne')}
      </Button>
    </>
  )
}
