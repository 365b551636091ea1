import {
  type BookDetail,
  listProgressHistory,
  type ProgressPoint,
  readBook,
  readReadHistory,
  restoreBooks,
  restoreProgress,
} from '@carrel/api'
import { Badge, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Section } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './history.module.css'
import { useMoment } from './moment.ts'
import { pointsOnPage } from '../../lists/pages/rows-on-page.ts'
import { Row, Text } from '../../ui/layout/layout.tsx'

interface PointsProps {
  readonly book: BookDetail
  readonly page: number
}

/** Each position in the book that was ever saved, and from which device. */
export const Points = ({ book, page }: PointsProps): ReactNode => {
  const { t } = useTranslation('history')
  const goTo = useGoTo()
  const params = { id: book.id }
  const { data, totalPages } = useRead(listProgressHistory, { params, query: { page, pageSize: pointsOnPage } })
  const restore = useRestore(book, data)
  return (
    <Section title={t('points')} text={t('pointsText')}>
      {data.length === 0 ? <Text quiet>{t('noPoints')}</Text> : null}
      {data.length === 0 ? null : (
        <RowList label={t('points')}>
          {data.map((point) => (
            <Point key={point.id} point={point} book={book} onRestore={() => restore(point)} />
          ))}
        </RowList>
      )}
      <Pager
        label={t('pages')}
        page={page}
        pages={totalPages}
        onGo={(next) => goTo(next === 1 ? paths.bookHistory(book.id) : `${paths.bookHistory(book.id)}?page=${next}`)()}
      />
    </Section>
  )
}

/** It restores an earlier position, and offers to undo that. */
const useRestore = (book: BookDetail, shown: readonly ProgressPoint[]) => {
  const { t } = useTranslation('history')
  const textOf = useProblemText()
  const positionText = usePositionText(book)
  const invalidates = [listProgressHistory, readReadHistory, readBook]
  const restore = useChange(restoreProgress, { invalidates })
  const putBack = useChange(restoreBooks, { invalidates })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  /** Where one is stands on the first page, and another may be shown. */
  const readCurrent = async (): Promise<ProgressPoint | undefined> => {
    const first = { params: { id: book.id }, query: { page: 1, pageSize: pointsOnPage } }
    const isCurrent = ({ current }: ProgressPoint): boolean => current
    return shown.find(isCurrent) ?? (await call(listProgressHistory, first)).body.data.find(isCurrent)
  }
  const restoreFrom = (point: ProgressPoint, before: ProgressPoint | undefined): void => {
    const points = [{ bookId: book.id, historyId: before?.id ?? null }]
    restore.mutate(
      { params: { id: book.id }, body: { historyId: point.id } },
      {
        onSuccess: () =>
          toast({
            text: t('restored', { place: positionText(point) }),
            undo: () => putBack.mutate({ body: { points } }, { onError }),
          }),
        onError,
      },
    )
  }
  return (point: ProgressPoint): void => void readCurrent().then((before) => restoreFrom(point, before), onError)
}

/** `Page 12 of 200`, `40 %`. */
const usePositionText = ({ pageCount }: BookDetail): ((point: ProgressPoint) => string) => {
  const { t, i18n } = useTranslation('history')
  const percent = new Intl.NumberFormat(i18n.resolvedLanguage, { style: 'percent' })
  return ({ kind, currentPage, progressPercentage }) => {
    if (kind === 'reset') return t('kind.reset')
    const position =
      currentPage !== null && currentPage > 0
        ? pageCount > 0
          ? t('pageOf', { page: currentPage, pages: pageCount })
          : t('page', { page: currentPage })
        : progressPercentage === null
          ? ''
          : percent.format(progressPercentage)
    if (kind === 'completed') return [t('kind.completed'), position].filter((part) => part !== '').join(' · ')
    return position === '' ? t('kind.progress') : position
  }
}

interface PointProps {
  readonly point: ProgressPoint
  readonly book: BookDetail
  readonly onRestore: () => void
}

const Point = ({ point, book, onRestore }: PointProps): ReactNode => {
  const { t } = useTranslation('history')
  const positionText = usePositionText(book)
  const moment = useMoment()
  const mayWrite = useMay('progress:write')
  const { at, device, current, heldBack } = point
  const name = device.name ?? (device.id === 'unknown' ? t('unknownDevice') : t('namelessDevice'))
  const isOffered = mayWrite && !current && point.kind !== 'reset'
  return (
    <ListRow
      icon="device"
      title={positionText(point)}
      mark={
        <Row as="span" gap={2} inline align="stretch" wrap className={styles.marks}>
          {current ? <Badge variant="light">{t('here')}</Badge> : null}
          {heldBack ? (
            <Badge variant="light" color="yellow" title={t('heldBackText')}>
              {t('heldBack')}
            </Badge>
          ) : null}
        </Row>
      }
      text={`${moment(at)} · ${name}`}
      actions={
        isOffered ? (
          <Button
            size="compact-sm"
            variant="default"
            className={styles.button ?? ''}
            aria-label={t('restoreOf', { place: positionText(point), at: moment(at) })}
            onClick={onRestore}
          >
            {t('restore')}
          </Button>
        ) : null
      }
    />
  )
}
