import { listSeriesByCondition, moveBooks, type SeriesDto } from '@carrel/api'
import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import type { BooksWindowProps } from '../../lists/selection/hand.ts'
import { FindField } from '../../ui/form/find-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Stack, Text } from '../../ui/layout/layout.tsx'
import styles from './moves.module.css'
import { Outcome } from './outcome.tsx'
import { useAfterwards } from './use-afterwards.ts'
import { isAsking, OneLibraryOnly, Window } from './window.tsx'

/** A series that is there, or by its title one that is not. */
type Target = { readonly id: string; readonly title: string } | { readonly id: null; readonly title: string }

/** Books go into another series of their library: one that is there, or a new one. */
export const MoveWindow = (props: BooksWindowProps): ReactNode => {
  const { t } = useTranslation('moves')
  const { books, into, onClose } = props
  const libraries = new Set(books.map(({ libraryId }) => libraryId))
  if (into) libraries.add(into.libraryId)
  const [libraryId] = libraries
  if (libraryId === undefined || libraries.size > 1) return <OneLibraryOnly title={t('move')} onClose={onClose} />
  return <MoveWithin {...props} libraryId={libraryId} />
}

const MoveWithin = (props: BooksWindowProps & { readonly libraryId: string }): ReactNode => {
  const { books, libraryId, into, onDone, onClose } = props
  const { t } = useTranslation('moves')
  const [target, setTarget] = useState<Target | undefined>(into)
  const [follow, setFollow] = useState(false)
  const tell = useAfterwards()
  const move = useChange(moveBooks)
  const where =
    target === undefined
      ? {}
      : target.id === null
        ? { newSeries: { title: target.title, libraryId } }
        : { seriesId: target.id }
  const body = { bookIds: books.map(({ id }) => id), follow, ...where }
  const preview = useLater(
    moveBooks,
    { body: { ...body, dryRun: true } },
    { enabled: target !== undefined && isAsking(move), isNeverTold: true },
  )
  const done = (moved: Parameters<typeof tell>[0]): void => {
    onDone()
    tell(moved)
  }
  return (
    <Window
      title={t('move')}
      action={t('doMove')}
      isReady={(preview.data?.movedBooks ?? 0) > 0}
      change={move}
      onSubmit={() => move.mutate({ body }, { onSuccess: done })}
      onClose={onClose}
    >
      {into ? null : <Targets {...{ books, libraryId, target }} onChoose={setTarget} />}
      <Checkbox
        label={t('follow')}
        checked={follow}
        onChange={({ currentTarget }) => setFollow(currentTarget.checked)}
      />
      {target === undefined ? null : <Outcome preview={preview} title={target.title} />}
    </Window>
  )
}

const offeredAtOnce = 8

interface TargetsProps {
  readonly books: BooksWindowProps['books']
  readonly libraryId: string
  readonly target: Target | undefined
  readonly onChoose: (target: Target | undefined) => void
}

const Targets = ({ books, libraryId, target, onChoose }: TargetsProps): ReactNode => {
  const { t } = useTranslation('moves')
  const text = useItemText()
  const [typed, setTyped] = useState('')
  const typedTitle = typed.trim()
  const { data } = useLater(
    listSeriesByCondition,
    {
      query: { page: 1, pageSize: offeredAtOnce + 1 },
      body: {
        condition: { libraryId: { operator: 'is', value: libraryId } },
        ...(typedTitle !== '' && { fullTextSearch: typedTitle }),
      },
    },
    { keepPrevious: true },
  )
  const isWhereAllAre = ({ id }: SeriesDto): boolean => books.every(({ seriesId }) => seriesId === id)
  const matches = (data?.data ?? []).filter((series) => !isWhereAllAre(series)).slice(0, offeredAtOnce)
  const find = (next: string): void => {
    setTyped(next)
    // What is written comes a moment later than it is typed: a series may be chosen by then.
    if (target?.id === null) onChoose(undefined)
  }
  return (
    <Stack gap={2}>
      <FindField label={t('find')} value={typed} onChange={find} />
      <Stack as="ul" className={styles.targets} aria-label={t('found')}>
        {matches.map((series) => (
          <Choice
            key={series.id}
            icon="series"
            text={series.title}
            more={text.ofSeries(series)}
            isChosen={target?.id === series.id}
            onChoose={() => onChoose(series)}
          />
        ))}
        {typedTitle === '' ? null : (
          <Choice
            icon="plus"
            text={t('newSeries', { title: typedTitle })}
            isChosen={target?.id === null}
            onChoose={() => onChoose({ id: null, title: typedTitle })}
          />
        )}
      </Stack>
      {data && matches.length === 0 && typedTitle !== '' ? (
        <Text quiet size={13}>
          {t('noneFound')}
        </Text>
      ) : null}
    </Stack>
  )
}

interface ChoiceProps {
  readonly icon: 'series' | 'plus'
  readonly text: string
  readonly more?: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const Choice = ({ icon, text, more, isChosen, onChoose }: ChoiceProps): ReactNode => (
  <li>
    <Columns
      as="button"
      gap={3}
      align="center"
      type="button"
      className={styles.target}
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      <Icon name={isChosen ? 'check' : icon} />
      <span>
        <Text as="span" lines={2} dir="auto" className={styles.name}>
          {text}
        </Text>
        {more === undefined ? null : (
          <Text as="span" quiet size={13}>
            {more}
          </Text>
        )}
      </span>
    </Columns>
  </li>
)
