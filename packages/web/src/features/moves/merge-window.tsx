import { mergeAnySeries, type MovedByHand } from '@carrel/api'
import { Radio } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import type { SeriesWindowProps } from '../../lists/selection/hand.ts'
import { Stack } from '../../ui/layout/layout.tsx'
import styles from './moves.module.css'
import { Outcome } from './outcome.tsx'
import { useAfterwards } from './use-afterwards.ts'
import { isAsking, OneLibraryOnly, Window } from './window.tsx'

/** Series of one library become one of them: the one with most books, unless somebody says otherwise. */
export const MergeWindow = (props: SeriesWindowProps): ReactNode => {
  const { t } = useTranslation('moves')
  const { series, onClose } = props
  const isOneLibrary = new Set(series.map(({ libraryId }) => libraryId)).size === 1
  return isOneLibrary ? <MergeWithin {...props} /> : <OneLibraryOnly title={t('merge')} onClose={onClose} />
}

const MergeWithin = ({ series, onDone, onClose }: SeriesWindowProps): ReactNode => {
  const { t } = useTranslation('moves')
  const text = useItemText()
  const sorted = series.toSorted((one, other) => other.bookCount - one.bookCount)
  const [into, setInto] = useState(sorted[0]?.id ?? '')
  const tell = useAfterwards()
  const merge = useChange(mergeAnySeries)
  const body = { ids: series.map(({ id }) => id).filter((id) => id !== into), into }
  const preview = useLater(
    mergeAnySeries,
    { body: { ...body, dryRun: true } },
    { enabled: isAsking(merge), isNeverTold: true },
  )
  const done = (moved: MovedByHand): void => {
    onDone()
    tell(moved)
  }
  return (
    <Window
      title={t('merge')}
      action={t('doMerge')}
      isReady={preview.data !== undefined}
      change={merge}
      onSubmit={() => merge.mutate({ body }, { onSuccess: done })}
      onClose={onClose}
    >
      <Radio.Group label={t('stays')} value={into} onChange={setInto}>
        <Stack gap={2} pad={2} className={styles.targets}>
          {sorted.map((each) => (
            <Radio
              key={each.id}
              value={each.id}
              label={each.title}
              description={text.ofSeries(each)}
              classNames={{ label: styles.name ?? '' }}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Outcome preview={preview} isMerge />
    </Window>
  )
}
