import { type AnnotationDto, type BookDetail, listAnnotations } from '@carrel/api'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import styles from './book-page.module.css'
import { marksOfBook } from './marks-of-book.ts'

const shownMax = 3

/** The passages somebody has marked; each leads to where it stands. */
export const BookMarks = ({ book: { id } }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('books')
  const [isOpen, setOpen] = useState(false)
  const { data } = useLater(listAnnotations, marksOfBook(id), { enabled: useMay('progress:read') })
  const marks = (data?.data ?? []).filter(({ quote, note }) => quote !== '' || note !== '')
  if (!data || marks.length === 0) return null
  const shown = isOpen ? marks : marks.slice(0, shownMax)
  return (
    <Section
      title={t('marked')}
      actions={
        <Text as="span" quiet size={13}>
          {t('passages', { count: data.total })}
        </Text>
      }
    >
      <Stack gap={3}>
        {shown.map((mark) => (
          <Passage key={mark.id} bookId={id} mark={mark} />
        ))}
      </Stack>
      {marks.length > shown.length ? (
        <button type="button" className={styles.all} onClick={() => setOpen(true)}>
          {t('allPassages', { count: marks.length })}
        </button>
      ) : null}
    </Section>
  )
}

const Passage = ({ bookId, mark }: { readonly bookId: string; readonly mark: AnnotationDto }): ReactNode => {
  const { ago } = useTimeText()
  const { locator, quote, note, colour, createdAt } = mark
  const at = locator.locations?.totalProgression
  // Readium's locators may say more than the contract names.
  const { title: chapter } = locator as { readonly title?: unknown }
  return (
    <blockquote
      className={styles.passage}
      data-colour={colour}
      style={colour.startsWith('#') ? ({ '--mark': colour } as CSSProperties) : undefined}
    >
      <Text
        as={AppLink}
        lines={4}
        to={paths.read(bookId, at === undefined ? {} : { at: at.toFixed(4) })}
        className={styles.quote}
        dir="auto"
      >
        {quote === '' ? note : quote}
      </Text>
      {quote === '' || note === '' ? null : (
        <Text size={14} lines={3} dir="auto">
          {note}
        </Text>
      )}
      <Text as="footer" quiet size={12}>
        {[...(typeof chapter === 'string' ? [chapter] : []), ago(createdAt)].join(' · ')}
      </Text>
    </blockquote>
  )
}
