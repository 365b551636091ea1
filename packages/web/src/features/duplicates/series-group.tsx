import {
  dismissSeriesDuplicates,
  type DuplicateGroup,
  listSeriesDuplicates,
  listSeriesByCondition,
  mergeSeries,
  readSeries,
  restoreSeriesDuplicates,
  type SeriesDetail,
  undoSeriesMerge,
} from '@carrel/api'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { seriesCover } from '../../lists/item/addresses.ts'
import { query, useChange } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { GroupCard } from './group-card.tsx'
import { useFigures } from './figures.ts'

/** Series that may be the same. */
export const SeriesGroup = ({ group }: { readonly group: DuplicateGroup }): ReactNode => {
  const { t } = useTranslation('duplicates')
  const mayChange = useMay('series:write')
  const { id, members, matchType } = group
  const details = useQueries({
    queries: members.map((member) => query(readSeries, { params: { id: member.id } })),
    combine: (results) => results.map(({ data }) => data?.body),
  })
  const valuesOf = useSeriesValues()
  const { dismiss, merge, isBusy } = useSeriesChanges(id)
  return (
    <GroupCard
      title={t(`match.${matchType}`, { count: members.length })}
      members={members.map((member, index) => ({
        id: member.id,
        title: member.title,
        to: paths.series(member.id),
        picture: seriesCover({ id: member.id, coverVersion: details[index]?.coverVersion ?? member.updatedAt }),
        values: valuesOf(member, details[index]),
      }))}
      mayChange={mayChange}
      isBusy={isBusy}
      hint={t('seriesHint')}
      onDismiss={dismiss}
      onMerge={merge}
    />
  )
}

const useSeriesValues = () => {
  const { t } = useTranslation('duplicates')
  const { day } = useFigures()
  return (member: DuplicateGroup['members'][number], detail: SeriesDetail | undefined) => [
    { name: t('value.books'), value: String(member.bookCount) },
    { name: t('value.unread'), value: detail ? String(detail.unreadCount) : '…' },
    { name: t('value.year'), value: detail ? String(detail.year ?? '–') : '…' },
    { name: t('value.publisher'), value: detail ? (detail.publisher ?? '–') : '…' },
    { name: t('value.library'), value: member.libraryName },
    ...(detail?.path == null ? [] : [{ name: t('value.path'), value: detail.path }]),
    { name: t('value.updated'), value: day(member.updatedAt) },
  ]
}

const useSeriesChanges = (id: string) => {
  const { t } = useTranslation('duplicates')
  const textOf = useProblemText()
  const invalidates = [listSeriesDuplicates, listSeriesByCondition]
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const dismissing = useChange(dismissSeriesDuplicates, { invalidates })
  const restoring = useChange(restoreSeriesDuplicates, { invalidates })
  const merging = useChange(mergeSeries, { invalidates })
  const undoing = useChange(undoSeriesMerge, { invalidates })
  const params = { id }
  // The code awaits the promise instead of using the component's callbacks: the group is gone from the page by then,
  // and its undo still has to work.
  const dismiss = async (): Promise<void> => {
    await dismissing.mutateAsync({ params })
    toast({ text: t('dismissed'), undo: () => void restoring.mutateAsync({ params }).catch(onError) })
  }
  const merge = async (into: string): Promise<void> => {
    const { mergeId, movedBooks } = await merging.mutateAsync({ params, body: { into } })
    toast({
      text: t('seriesMerged', { count: movedBooks }),
      undo: () => void undoing.mutateAsync({ params: { id: mergeId } }).catch(onError),
    })
  }
  return {
    isBusy: dismissing.isPending || merging.isPending,
    dismiss: (): void => void dismiss().catch(onError),
    merge: (into: string): void => void merge(into).catch(onError),
  }
}
