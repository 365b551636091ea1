import { type MovedByHand, splitSeries } from '@carrel/api'
import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import type { BooksWindowProps } from '../../lists/selection/hand.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Outcome } from './outcome.tsx'
import { useAfterwards } from './use-afterwards.ts'
import { isAsking, Window } from './window.tsx'

/** Books of one series become a series of their own, called by them unless somebody says otherwise. */
export const SplitWindow = ({ books, onDone, onClose }: BooksWindowProps): ReactNode => {
  const { t } = useTranslation('moves')
  const [title, setTitle] = useState('')
  const [follow, setFollow] = useState(false)
  const tell = useAfterwards()
  const split = useChange(splitSeries)
  const params = { id: books[0]?.seriesId ?? '' }
  const body = { bookIds: books.map(({ id }) => id), follow }
  const given = title.trim() === '' ? undefined : title.trim()
  // The title changes nothing of what happens: it is not asked again for every letter.
  const preview = useLater(
    splitSeries,
    { params, body: { ...body, dryRun: true } },
    { enabled: isAsking(split), isNeverTold: true },
  )
  const done = (moved: MovedByHand): void => {
    onDone()
    tell(moved)
  }
  return (
    <Window
      title={t('split')}
      action={t('doSplit')}
      isReady={preview.data !== undefined}
      change={split}
      onSubmit={() =>
        split.mutate({ params, body: { ...body, ...(given !== undefined && { title: given }) } }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <TextField
        label={t('newTitle')}
        data-autofocus
        maxLength={1000}
        placeholder={preview.data?.title ?? ''}
        value={title}
        onChange={setTitle}
      />
      <Checkbox
        label={t('follow')}
        checked={follow}
        onChange={({ currentTarget }) => setFollow(currentTarget.checked)}
      />
      <Outcome preview={preview} title={given} />
    </Window>
  )
}
