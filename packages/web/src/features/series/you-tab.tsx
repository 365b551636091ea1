import {
  type BookDto,
  listBooksByCondition,
  type ReadStatus,
  readSeriesReadHistory,
  type SeriesDetail,
} from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { progressOf, useItemText } from '../../lists/item/item-text.ts'
import { useBookTitle } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Details } from '../../ui/detail/details.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { ForgetHistory } from './forget-history.tsx'
import { ReadingStatusSelect } from './reading-status.tsx'
import { SeriesRatingRow } from './series-rating.tsx'
import styles from './series-page.module.css'

/** What the user says of a series, and what is known of their reading of it. */
export const YouTab = ({ series }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const text = useItemText()
  return (
    <Stack gap={5}>
      <Details
        rows={[
          { label: t('yourStatus'), value: <ReadingStatusSelect series={series} /> },
          { label: t('yourRating'), value: <SeriesRatingRow seriesId={series.id} /> },
          {
            label: t('readThrough'),
            value:
              series.lastCompletedAt === null
                ? null
                : t('readTimes', { count: series.readCount, day: text.date(series.lastCompletedAt) }),
          },
        ]}
      />
      <LastRead series={series} />
      <ReadThroughs series={series} />
    </Stack>
  )
}

const statuses: readonly ReadStatus[] = ['in_progress', 'read']
const shownMax = 20

/** The books of it that were opened, the latest first. */
const LastRead = ({ series: { id } }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const { data } = useLater(listBooksByCondition, {
    query: { page: 1, pageSize: shownMax, sort: 'last_read,desc' },
    body: {
      condition: {
        allOf: [
          { seriesId: { operator: 'is', value: id } },
          { anyOf: statuses.map((value) => ({ readStatus: { operator: 'is', value } as const })) },
        ],
      },
    },
  })
  if (!data || data.data.length === 0) return null
  return (
    <Section title={t('you.history')}>
      <Stack as="ul" gap="hair" className={styles.history}>
        {data.data.map((book) => (
          <OpenedBook key={book.id} book={book} />
        ))}
      </Stack>
    </Section>
  )
}

const OpenedBook = ({ book }: { readonly book: BookDto }): ReactNode => {
  const { t } = useTranslation('series')
  const text = useItemText()
  const { ago, moment } = useTimeText()
  const titleIn = useBookTitle()
  const mayReadOwn = useMay('progress:read')
  const progress = progressOf(book)
  const at = book.readProgress?.updatedAt
  return (
    <Row as="li" gap={3} justify="between" className={styles.opened}>
      <Text as={AppLink} lines={1} to={mayReadOwn ? paths.bookHistory(book.id) : paths.book(book.id)} dir="auto">
        {titleIn('series', book).text}
      </Text>
      <Row gap={3} className={styles.when}>
        <span>{progress === undefined ? t('you.finished') : text.percent(progress)}</span>
        {at === undefined ? null : (
          <time dateTime={at} title={moment(at)}>
            {ago(at)}
          </time>
        )}
      </Row>
    </Row>
  )
}

/** Each time all of it was read, and the way to forget that. */
const ReadThroughs = ({ series }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const text = useItemText()
  const [isForgetting, setForgetting] = useState(false)
  const mayRead = useMay('progress:read')
  const mayForget = useMay('progress:write')
  const { data } = useLater(readSeriesReadHistory, { params: { id: series.id } }, { enabled: mayRead })
  if (!data || (data.entries.length === 0 && data.completions === 0)) return null
  return (
    <Section
      title={t('readThrough')}
      actions={
        mayForget ? (
          <Button variant="default" onClick={() => setForgetting(true)}>
            {t('forgetHistory')}
          </Button>
        ) : null
      }
    >
      {data.entries.length === 0 ? <Text quiet>{t('you.notWhole', { count: data.completions })}</Text> : null}
      <Stack as="ul" gap={1} collapse>
        {data.entries.map(({ startedAt, completedAt }) => (
          <li key={completedAt}>{`${text.date(startedAt)} – ${text.date(completedAt)}`}</li>
        ))}
      </Stack>
      {isForgetting ? <ForgetHistory series={series} onClose={() => setForgetting(false)} /> : null}
    </Section>
  )
}
