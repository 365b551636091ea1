import {
  clearSeriesReadHistory,
  readReadingStats,
  readSeries,
  readSeriesReadHistory,
  type SeriesDetail,
} from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toast } from '../../ui/state/toasts.tsx'

interface ForgetHistoryProps {
  readonly series: Pick<SeriesDetail, 'id' | 'title'>
  readonly onClose: () => void
}

/** Each time a book of the series was read to its end is gone for good; where one is stays. */
export const ForgetHistory = ({ series: { id, title }, onClose }: ForgetHistoryProps): ReactNode => {
  const { t } = useTranslation('series')
  const problemOf = useProblem()
  const params = { id }
  const history = useLater(readSeriesReadHistory, { params })
  const forget = useChange(clearSeriesReadHistory, {
    invalidates: [readSeriesReadHistory, readSeries, readReadingStats],
    onDone: () => toast({ text: t('forgotten', { title }) }),
  })
  const heading = t('forgetTitle', { title })
  if (history.data?.completions === 0)
    return (
      <Dialog title={heading} isOpen onClose={onClose}>
        <p>{t('nothingToForget')}</p>
      </Dialog>
    )
  const problem = forget.error ?? history.error
  return (
    <Confirm
      title={heading}
      isOpen
      onClose={onClose}
      action={t('forget')}
      onConfirm={() => forget.mutate({ params }, { onSuccess: onClose })}
      isPending={forget.isPending || history.isPending}
      problem={problemOf(problem)}
    >
      <p>{t('forgetLost', { count: history.data?.completions ?? 0 })}</p>
      <p>{t('forgetStays')}</p>
    </Confirm>
  )
}
