import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Grid, Stack, Text } from '../../ui/layout/layout.tsx'
import { useFigureText } from './figure-text.ts'
import { amountOf, isAtLeast, type Summary } from './figures.ts'
import type { Measure } from './search.ts'
import styles from './statistics.module.css'

/** It shows the figures of the window, and says what they leave out. */
export const SummaryTiles = ({ summary }: { readonly summary: Summary }): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { duration, books, booksFinished, sessions } = summary
  const sum = (measure: Measure): Pick<TileProps, 'value' | 'before'> => {
    const { sure, estimated, isUnknown } = amountOf(summary, measure, summary)
    if (isUnknown) return { value: t('unknown') }
    const value = text.value(measure, sure + estimated)
    return isAtLeast(measure, summary) && sure + estimated > 0 ? { value, before: t('atLeast') } : { value }
  }
  const parts = [
    duration.measuredMs > 0 ? t('measured', { time: text.time(duration.measuredMs) }) : '',
    duration.inferredMs > 0 ? t('estimated', { time: text.time(duration.inferredMs) }) : '',
  ]
  return (
    <Stack as="section" gap={3} aria-label={t('inAll')} className={styles.summary}>
      <Grid as="dl" gap={3} stretch className={styles.tiles}>
        <Tile label={t('measure.time')} {...sum('time')} hint={parts.filter((part) => part !== '').join(' · ')} />
        <Tile label={t('measure.pages')} {...sum('pages')} />
        <Tile label={t('column.sessions')} value={text.number(sessions)} />
        <Tile label={t('booksRead')} value={text.number(books)} />
        <Tile label={t('measure.completions')} value={text.number(booksFinished)} />
      </Grid>
      <Gaps summary={summary} />
    </Stack>
  )
}

interface TileProps {
  readonly label: string
  readonly value: string
  /** This text stands before the figure, and says that the real one is larger. */
  readonly before?: string
  readonly hint?: string
}

const Tile = ({ label, value, before, hint = '' }: TileProps): ReactNode => (
  <div className={styles.tile}>
    <dt>{label}</dt>
    <dd>
      <span className={styles.value}>
        {before === undefined ? null : <small className={styles.before}>{before} </small>}
        {value}
      </span>
      {hint === '' ? null : <span className={styles.hint}>{hint}</span>}
    </dd>
  </div>
)

/** What nobody knows is said once, at the foot of the figures that it is missing from. */
export const Gaps = ({ summary }: { readonly summary: Summary }): ReactNode => {
  const { t } = useTranslation('statistics')
  const { sessions, sessionsWithoutDuration, sessionsWithoutPages, duration } = summary
  const sentences = [
    sessionsWithoutDuration > 0 ? t('withoutTime', { count: sessionsWithoutDuration, all: sessions }) : '',
    sessionsWithoutPages > 0 ? t('withoutPages', { count: sessionsWithoutPages, all: sessions }) : '',
    duration.inferredMs > 0 ? t('whatIsEstimated') : '',
  ].filter((part) => part !== '')
  if (sentences.length === 0) return null
  return (
    <Text quiet size={13}>
      {sentences.join(' ')}
    </Text>
  )
}
