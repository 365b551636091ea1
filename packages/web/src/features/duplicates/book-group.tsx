import {
  type BookDetail,
  type BookDuplicateGroup,
  dismissBookDuplicates,
  listBookDuplicates,
  listBooksByCondition,
  mergeBooks,
  readBook,
  restoreBookDuplicates,
  undoBookMerge,
} from '@carrel/api'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemName } from '../../text/book-name.tsx'
import { bookCover } from '../../lists/item/addresses.ts'
import { query, useChange } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { useFigures } from './figures.ts'
import { GroupCard } from './group-card.tsx'

/** Books that hold the same. */
export const BookGroup = ({ group }: { readonly group: BookDuplicateGroup }): ReactNode => {
  const { t } = useTranslation('duplicates')
  const mayChange = useMay('books:write')
  const { id, members, matchType } = group
  const details = useQueries({
    queries: members.map((member) => query(readBook, { params: { id: member.id } })),
    combine: (results) => results.map(({ data }) => data?.body),
  })
  const valuesOf = useBookValues()
  const nameOf = useItemName()
  const { dismiss, merge, isBusy } = useBookChanges(id)
  return (
    <GroupCard
      title={t(`match.${matchType}`, { count: members.length })}
      members={members.map((member, index) => ({
        id: member.id,
        title: nameOf({ ...member, seriesName: member.seriesTitle }),
        to: paths.book(member.id),
        picture: bookCover({ id: member.id, coverVersion: details[index]?.coverVersion ?? '0' }),
        values: valuesOf(member, details[index]),
      }))}
      mayChange={mayChange}
      isBusy={isBusy}
      hint={t('booksHint')}
      onDismiss={dismiss}
      onMerge={merge}
    />
  )
}

const useBookValues = () => {
  const { t } = useTranslation('duplicates')
  const { day, size } = useFigures()
  return (member: BookDuplicateGroup['members'][number], detail: BookDetail | undefined) => [
    { name: t('value.series'), value: member.seriesTitle },
    { name: t('value.format'), value: member.fileFormat.toUpperCase() },
    { name: t('value.size'), value: size(member.fileSize) },
    { name: t('value.pages'), value: String(member.pageCount) },
    { name: t('value.library'), value: member.libraryName },
    ...(detail?.path === undefined ? [] : [{ name: t('value.path'), value: detail.path }]),
    { name: t('value.added'), value: detail ? day(detail.createdAt) : '…' },
    { name: t('value.read'), value: detail ? t(`state.${readState(detail)}`) : '…' },
  ]
}

const readState = ({ readProgress }: BookDetail) =>
  readProgress === null ? 'unread' : readProgress.completed ? 'read' : 'inProgress'

const useBookChanges = (id: string) => {
  const { t } = useTranslation('duplicates')
  const textOf = useProblemText()
  const invalidates = [listBookDuplicates, listBooksByCondition]
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const dismissing = useChange(dismissBookDuplicates, { invalidates })
  const restoring = useChange(restoreBookDuplicates, { invalidates })
  const merging = useChange(mergeBooks, { invalidates })
  const undoing = useChange(undoBookMerge, { invalidates })
  const params = { id }
  const dismiss = async (): Promise<void> => {
    await dismissing.mutateAsync({ params })
    toast({ text: t('dismissed'), undo: () => void restoring.mutateAsync({ params }).catch(onError) })
  }
  const merge = async (into: string): Promise<void> => {
    const { mergeId, mergedIds } = await merging.mutateAsync({ params, body: { into } })
    toast({
      text: t('booksMerged', { count: mergedIds.length + 1 }),
      undo: () => void undoing.mutateAsync({ params: { id: mergeId } }).catch(onError),
    })
  }
  return {
    isBusy: dismissing.isPending || merging.isPending,
    dismiss: (): void => void dismiss().catch(onError),
    merge: (into: string): void => void merge(into).catch(onError),
  }
}
