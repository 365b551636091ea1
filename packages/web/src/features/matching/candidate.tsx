import type { MatchCandidate } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { Cover } from '../../ui/cover/cover.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import styles from './candidate.module.css'
import { useMatchText } from './match-text.ts'

interface CandidatesProps {
  readonly label: string
  readonly children: ReactNode
}

export const Candidates = ({ label, children }: CandidatesProps): ReactNode => (
  <Stack as="ul" gap={2} collapse className={styles.candidates} aria-label={label}>
    {children}
  </Stack>
)

interface CandidateProps {
  readonly candidate: MatchCandidate
  /** The link leads to the comparison field by field. */
  readonly to: string
  readonly actions?: ReactNode
}

const othersShown = 3

/** It shows a candidate with everything that helps to decide. */
export const Candidate = ({ candidate, to, actions }: CandidateProps): ReactNode => {
  const { t } = useTranslation('matching')
  const text = useMatchText()
  const { title, alternateTitles, coverUrl, coverProxyUrl, relevanceScore, refused, preview } = candidate
  const details = text.details(candidate)
  const genres = preview?.genres.slice(0, 6).join(', ') ?? ''
  return (
    <Row as="li" gap={4} rowGap={2} wrap box className={styles.candidate}>
      {coverProxyUrl === null ? null : (
        <div className={styles.cover}>
          <Cover src={coverProxyUrl} alt="" />
        </div>
      )}
      <Stack gap="hair" align="start" className={styles.words}>
        <span>
          <AppLink to={to} className={styles.title} dir="auto">
            {title}
          </AppLink>
          {refused ? <Mark kind="warning">{t('refusedBefore')}</Mark> : null}
          {relevanceScore === null ? null : <Mark kind="plain">{text.sure(relevanceScore)}</Mark>}
        </span>
        {alternateTitles.length === 0 ? null : (
          <Text as="span" quiet size={14} dir="auto">
            {alternateTitles.slice(0, othersShown).join(' · ')}
          </Text>
        )}
        {details === '' ? null : <span dir="auto">{details}</span>}
        {genres === '' ? null : (
          <Text as="span" quiet size={14} dir="auto">
            {genres}
          </Text>
        )}
        {preview?.description == null ? null : (
          <Text quiet size={14} lines={3} dir="auto">
            {preview.description}
          </Text>
        )}
        {coverUrl === null ? null : <ForeignCover url={coverUrl} title={title} />}
      </Stack>
      {actions === undefined ? null : (
        <Row gap={2} align="stretch" wrap touch="wide" className={styles.actions}>
          {actions}
        </Row>
      )}
    </Row>
  )
}

interface ForeignCoverProps {
  readonly url: string
  /** The cover belongs to this title. */
  readonly title?: string
}

/**
 * It names where a picture is from: this app loads nothing from other hosts, so that nobody there learns who looks at
 * what.
 */
export const ForeignCover = ({ url, title }: ForeignCoverProps): ReactNode => {
  const { t } = useTranslation('matching')
  const host = URL.canParse(url) ? new URL(url).host : url
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className={styles.foreign}
      {...(title !== undefined && { 'aria-label': t('coverOf', { title, host }) })}
    >
      {t('coverAt', { host })}
    </a>
  )
}
