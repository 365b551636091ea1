import { type BookDetail, type BookDto, readAdjacentBooks, readNeighboursInReadList } from '@carrel/api'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../../api/queries.ts'
import { useBookLines, useItemName } from '../../../text/book-name.tsx'
import { paths } from '../../../navigation/paths.ts'
import { Cover } from '../../../ui/cover/cover.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Row } from '../../../ui/layout/layout.tsx'
import { leaveReader } from '../controls/leave.ts'
import { coverOf } from '../pages/pictures.ts'
import styles from './end-of-book.module.css'

interface EndOfBookProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly book: BookDetail
  /** The read list it was opened from: what comes next comes from there. */
  readonly readList: string | undefined
}

/** One has come to the end: what comes next is shown, and nothing goes there by itself. */
export const EndOfBook = ({ isOpen, onClose, book, readList }: EndOfBookProps): ReactNode => {
  const { t } = useTranslation('reader')
  const router = useRouter()
  const nameOf = useItemName()
  const { data: neighbours, isPending, isError } = useNeighbours(book.id, readList, isOpen)
  const next = neighbours?.next
  const goOn = (): void => {
    if (next) void router.navigate({ href: paths.read(next.id, { ...(readList && { readList }) }), replace: true })
  }
  return (
    <Dialog
      title={t('end.title')}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={() => leaveReader(router)}>
            {t('leave')}
          </Button>
          {next ? (
            <Button onClick={goOn} data-autofocus>
              {t('end.readNext')}
            </Button>
          ) : null}
        </>
      }
    >
      <div className={styles.end} aria-busy={isPending}>
        <p dir="auto">{t('end.youHaveRead', { title: nameOf(book) })}</p>
        {next ? <Next book={next} /> : null}
        {neighbours && !next ? <p>{readList === undefined ? t('end.lastOfSeries') : t('end.lastOfList')}</p> : null}
        {isError ? <p>{t('end.failed')}</p> : null}
      </div>
    </Dialog>
  )
}

const Next = ({ book }: { readonly book: BookDto }): ReactNode => {
  const { t } = useTranslation('reader')
  const { first, second } = useBookLines()(book, true)
  return (
    <Row gap={4} className={styles.next}>
      <div className={styles.cover}>
        <Cover src={coverOf(book)} thumbhash={book.placeholder} alt="" isFirst />
      </div>
      <div>
        <p className={styles.label}>{t('end.next')}</p>
        <p className={styles.title} dir="auto">
          {first}
        </p>
        <p className={styles.label} dir="auto">
          {second ?? book.seriesName}
        </p>
      </div>
    </Row>
  )
}

const useNeighbours = (bookId: string, readList: string | undefined, enabled: boolean) => {
  const ofSeries = useLater(readAdjacentBooks, { params: { id: bookId } }, { enabled: enabled && !readList })
  const ofList = useLater(
    readNeighboursInReadList,
    { params: { id: readList ?? '', bookId } },
    { enabled: enabled && readList !== undefined },
  )
  return readList === undefined ? ofSeries : ofList
}
