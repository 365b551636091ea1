import type { ReadingAhead, SeriesDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDurationText } from '../../text/duration-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Row, Stack } from '../../ui/layout/layout.tsx'
import { ReadingStatusSelect } from './reading-status.tsx'
import styles from './your-state.module.css'

interface YourStateProps {
  readonly series: SeriesDetail
  readonly ahead: ReadingAhead
}

/** How the user is with a series, for those who have the room to see it at once. */
export const YourState = ({ series, ahead: { read, of, timeLeftMs, lastReadAt } }: YourStateProps): ReactNode => {
  const { t } = useTranslation('series')
  const duration = useDurationText()
  const { ago } = useTimeText()
  const isBegun = lastReadAt !== null
  return (
    <Stack gap={2} className={styles.you}>
      <Stack as="dl" gap={2} className={styles.pairs}>
        <Pair label={t('you.read')} value={t('you.readOf', { read, of })} />
      </Stack>
      <progress data-bar className={styles.bar} value={read} max={Math.max(1, of)} aria-label={t('you.read')} />
      <Stack as="dl" gap={2} collapse className={styles.pairs}>
        {timeLeftMs !== null && timeLeftMs > 0 ? <Pair label={t('you.left')} value={duration(timeLeftMs)} /> : null}
        {isBegun ? <Pair label={t('you.last')} value={ago(lastReadAt)} /> : null}
      </Stack>
      <ReadingStatusSelect series={series} />
    </Stack>
  )
}

const Pair = ({ label, value }: { readonly label: string; readonly value: string }): ReactNode => (
  <Row gap={3} justify="between" align="baseline">
    <dt>{label}</dt>
    <dd>{value}</dd>
  </Row>
)
