import { type BookDetail, type Chapters, readChapters } from '@carrel/api'
import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { progressOf, useItemText } from '../../lists/item/item-text.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { useDurationText } from '../../text/duration-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import styles from './book-page.module.css'

type Chapter = Chapters['chapters'][number]

const withOutline: ReadonlySet<string> = new Set(['epub', 'mobi', 'azw3', 'fb2', 'pdf'])
export const mayHaveContents = ({ fileFormat, deleted, analysisError }: BookDetail): boolean =>
  withOutline.has(fileFormat) && !deleted && analysisError === null

/** So many at first; the chapter that is open is always among them. */
const shownMax = 8

/** Characters of a minute, as most people read; one part of a book of text has 1,024 of them. */
const minuteMs = 60_000

/** The chapters of a book; each leads to reading there. */
export const BookContents = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('books')
  const [isOpen, setOpen] = useState(false)
  const mayRead = useMay('pages:read')
  const { data, isPending } = useLater(readChapters, { params: { id: book.id } }, { enabled: mayRead })
  const chapters = data?.chapters ?? []
  const progress = book.readProgress?.completed ? 1 : (progressOf(book) ?? 0)
  const open = openChapter(chapters, progress)
  const from = isOpen || open < shownMax ? 0 : Math.min(open - 2, chapters.length - shownMax)
  const shown = isOpen ? chapters : chapters.slice(from, from + shownMax)
  return (
    <Section
      title={t('contents')}
      actions={
        chapters.length === 0 ? null : (
          <Text as="span" quiet size={13}>
            {t('chapterCount', { count: chapters.length })}
          </Text>
        )
      }
    >
      <Stack as="ol" className={styles.contents} aria-busy={isPending && mayRead}>
        {shown.map((chapter, index) => (
          <ChapterLine
            key={from + index}
            book={book}
            chapter={chapter}
            total={data?.total ?? 0}
            progress={progress}
            isOpen={from + index === open && progress > 0 && progress < 1}
          />
        ))}
      </Stack>
      {!isPending && chapters.length === 0 ? <Text quiet>{t('noContents')}</Text> : null}
      {chapters.length > shownMax && !isOpen ? (
        <button type="button" className={styles.all} onClick={() => setOpen(true)}>
          {t('allChapters', { count: chapters.length })}
        </button>
      ) : null}
    </Section>
  )
}

/** The last chapter that begins before the place somebody is at. */
const openChapter = (chapters: readonly Chapter[], progress: number): number =>
  Math.max(
    0,
    chapters.findLastIndex(({ at }) => at <= progress),
  )

interface ChapterLineProps {
  readonly book: BookDetail
  readonly chapter: Chapter
  readonly total: number
  readonly progress: number
  readonly isOpen: boolean
}

const ChapterLine = ({ book, chapter, total, progress, isOpen }: ChapterLineProps): ReactNode => {
  const { t } = useTranslation('books')
  const text = useItemText()
  const duration = useDurationText()
  const { title, depth, at, page, length } = chapter
  const share = total === 0 ? 0 : length / total
  const isRead = progress > 0 && at + share <= progress
  const where = page === null ? { at: at.toFixed(4) } : { page }
  return (
    <li>
      <Row
        as={AppLink}
        gap={3}
        to={paths.read(book.id, where)}
        className={styles.chapter}
        data-depth={depth}
        aria-current={isOpen ? 'true' : undefined}
      >
        <Text as="span" lines={1} className={styles.chapterTitle} dir="auto">
          {title}
        </Text>
        {isRead ? (
          <>
            <Icon name="check" size="small" />
            <VisuallyHidden component="span">{t('chapterRead')}</VisuallyHidden>
          </>
        ) : null}
        {isOpen && share > 0 ? (
          <progress
            data-bar
            className={styles.bar}
            value={Math.min(1, (progress - at) / share)}
            aria-label={t('chapterProgress')}
          />
        ) : null}
        <span className={styles.length}>
          {length === 0 ? null : page === null ? duration(length * minuteMs) : text.count('pages', length)}
        </span>
      </Row>
    </li>
  )
}
