import { listSeries, listSeriesByCondition } from '@carrel/api'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Stack, Text } from '../../ui/layout/layout.tsx'
import { useItemText } from '../item/item-text.ts'
import { type BookInHand, dropBooks, dropOn } from './books-in-hand.ts'
import styles from './drop-targets.module.css'

const alikeAtOnce = 5
const latestAtOnce = 4

interface DropTargetsProps {
  readonly books: readonly BookInHand[]
  readonly onEnd: () => void
}

/**
 * While books are dragged, these are the series in which they may belong, wherever the user is: those of a like name, and those
 * that have changed last, since books have come into them. A hand that drags cannot type: any other is found after letting go.
 */
export const DropTargets = ({ books, onEnd }: DropTargetsProps): ReactNode => {
  const { t } = useTranslation('lists')
  useEndOfDrag(onEnd)
  const text = useItemText()
  const [first] = books
  const libraryId = first?.libraryId ?? ''
  const { data: alike } = useLater(listSeriesByCondition, {
    query: { page: 1, pageSize: alikeAtOnce + 1 },
    body: {
      condition: { libraryId: { operator: 'is', value: libraryId } },
      ...(first?.seriesName && { fullTextSearch: first.seriesName }),
    },
  })
  const { data: latest } = useLater(listSeries, {
    query: { libraryId, sort: 'updatedAt,desc', page: 1, pageSize: latestAtOnce },
  })
  const all = [...(alike?.data ?? []), ...(latest?.data ?? [])]
  const isWhereAllAre = (id: string): boolean => books.every(({ seriesId }) => seriesId === id)
  const targets = [...new Map(all.map((series) => [series.id, series])).values()].filter(({ id }) => !isWhereAllAre(id))
  return (
    <Stack as="section" gap={1} className={styles.panel} aria-label={t('dropTargets')}>
      <Text quiet size={13}>
        {t('dropTargets')}
      </Text>
      <Stack as="ul">
        {targets.map((series) => (
          <Target key={series.id} text={series.title} icon="series" {...dropOn(series)}>
            {text.ofSeries(series)}
          </Target>
        ))}
        <Target text={t('dropElsewhere')} icon="search" {...dropBooks((dropped) => ({ books: dropped }))} />
      </Stack>
    </Stack>
  )
}

/** A book that is scrolled out of sight while it is dragged never says that this has ended: a pointer moves only when nothing is. */
const useEndOfDrag = (onEnd: () => void): void =>
  useEffect(() => {
    const ends = ['dragend', 'drop', 'pointermove'] as const
    for (const end of ends) window.addEventListener(end, onEnd)
    return () => {
      for (const end of ends) window.removeEventListener(end, onEnd)
    }
  }, [onEnd])

interface TargetProps extends ReturnType<typeof dropOn> {
  readonly text: string
  readonly icon: 'series' | 'search'
  readonly children?: string | undefined
}

const Target = ({ text, icon, children, ...drop }: TargetProps): ReactNode => (
  <Columns as="li" gap={3} align="center" className={styles.target} {...drop}>
    <Icon name={icon} />
    <span>
      <Text as="span" lines={2} dir="auto">
        {text}
      </Text>
      {children === undefined ? null : (
        <Text as="span" quiet size={13}>
          {children}
        </Text>
      )}
    </span>
  </Columns>
)
