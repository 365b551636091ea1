import {
  clearReadingStatus,
  listSeriesByReadingStatus,
  readHome,
  readSeries,
  type ReadingStatus,
  readingStatuses,
  saveReadingStatus,
  type SeriesDetail,
} from '@carrel/api'
import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './series-page.module.css'

/** The user sets the status of their own reading of a series. */
export const ReadingStatusSelect = ({ series }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const put = usePutStatus(series.id)
  const { readingStatus } = series
  const choose = (next: ReadingStatus | null): void =>
    put(next, () => toast({ text: t(next === null ? 'statusGone' : 'statusKept'), undo: () => put(readingStatus) }))
  return (
    <NativeSelect
      className={styles.status ?? ''}
      aria-label={t('yourStatus')}
      value={readingStatus ?? ''}
      data={[
        { value: '', label: t('noStatus') },
        ...readingStatuses.map((value) => ({ value, label: t(`reading.${value}`) })),
      ]}
      onChange={({ currentTarget: { value } }) => choose(readingStatuses.find((each) => each === value) ?? null)}
    />
  )
}

const usePutStatus = (id: string) => {
  const textOf = useProblemText()
  const invalidates = [readSeries, listSeriesByReadingStatus, readHome]
  const save = useChange(saveReadingStatus, { invalidates })
  const clear = useChange(clearReadingStatus, { invalidates })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  return (status: ReadingStatus | null, onSuccess?: () => void): void => {
    const heard = { onError, ...(onSuccess && { onSuccess }) }
    if (status === null) clear.mutate({ params: { id } }, heard)
    else save.mutate({ params: { id }, body: { status } }, heard)
  }
}
