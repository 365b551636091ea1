import { type BookDetail, searchInBook } from '@carrel/api'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../../../api/queries.ts'
import { useProblemText } from '../../../../text/problem-text.ts'
import { type BookMap, type Chapter, progressAt } from '../../../../reader/ebook/book-map.ts'
import { locationOf } from '../../../../reader/ebook/ebook-locator.ts'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import { Row, Stack, Text } from '../../../../ui/layout/layout.tsx'
import { MarksList } from '../marks/marks-list.tsx'
import type { DrawerTab, Panel } from './panel.ts'
import { percentText } from '../percent.ts'
import type { BookView } from '../use-book-view.ts'
import type { EbookReading, Goal } from '../use-ebook-reading.ts'
import type { Marks } from '../marks/use-marks.ts'
import styles from './book-drawer.module.css'

interface BookDrawerProps {
  readonly book: BookDetail
  readonly map: BookMap
  readonly reading: EbookReading
  readonly view: BookView
  readonly marks: Marks
  readonly tab: DrawerTab | undefined
  readonly onPanel: (panel: Panel) => void
  readonly onClose: () => void
}

/** It shows the contents, bookmarks and notes of the book, and searches it. */
export const BookDrawer = ({ tab, onPanel, onClose, view, marks, ...rest }: BookDrawerProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const go = (goal: Goal): void => {
    onClose()
    view.jump(goal)
  }
  return (
    <>
      <Dialog title={t('contents.title')} isOpen={tab === 'contents'} onClose={onClose}>
        <Row gap={2} align="stretch" wrap className={styles.ways}>
          <Button variant="default" onClick={() => onPanel('search')}>
            {t('search.title')}
          </Button>
          <Button variant="default" onClick={() => onPanel('marks')}>
            {t('marks.title')}
          </Button>
        </Row>
        <Contents {...rest} onGo={go} />
      </Dialog>
      <Dialog title={t('search.title')} isOpen={tab === 'search'} onClose={onClose}>
        <Search {...rest} onGo={go} />
      </Dialog>
      <Dialog title={t('marks.title')} isOpen={tab === 'marks'} onClose={onClose}>
        <MarksList map={rest.map} marks={marks} onGo={go} />
      </Dialog>
    </>
  )
}

interface PartProps extends Pick<BookDrawerProps, 'book' | 'map' | 'reading'> {
  readonly onGo: (goal: Goal) => void
}

const Contents = ({ map, reading, onGo }: PartProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // The dialog has its size by then.
    const frame = requestAnimationFrame(() =>
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [])
  if (map.chapters.length === 0) return <p>{t('contents.none')}</p>
  return (
    <Stack as="ol" ref={list} className={styles.list}>
      {map.chapters.map((chapter, index) => (
        <li key={index} style={{ paddingInlineStart: `${chapter.depth * 1.25}rem` }}>
          <Entry chapter={chapter} map={map} isCurrent={index === reading.chapter} onGo={onGo} />
        </li>
      ))}
    </Stack>
  )
}

interface EntryProps {
  readonly chapter: Chapter
  readonly map: BookMap
  readonly isCurrent: boolean
  readonly onGo: (goal: Goal) => void
}

const Entry = ({ chapter: { title, section, fragment }, map, isCurrent, onGo }: EntryProps): ReactNode => {
  if (section === undefined)
    return (
      <Row as="span" gap={4} justify="between" className={styles.heading} dir="auto">
        {title}
      </Row>
    )
  return (
    <Row
      as="button"
      gap={4}
      justify="between"
      type="button"
      className={styles.entry}
      aria-current={isCurrent ? 'location' : undefined}
      onClick={() => onGo({ index: section, fragment })}
    >
      <span className={styles.text} dir="auto">
        {title}
      </span>
      <Percent of={progressAt(map, section, 0)} />
    </Row>
  )
}

const Percent = ({ of }: { readonly of: ReturnType<typeof progressAt> }): ReactNode => {
  const { t } = useTranslation('ebook')
  return (
    <Text as="span" quiet size={13} className={styles.percent}>
      {t('percent', { percent: percentText(of.totalProgression) })}
    </Text>
  )
}

const searchAfterMs = 250

const Search = ({ book, map, onGo }: PartProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const textOf = useProblemText()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), searchAfterMs)
  const { data, error } = useLater(
    searchInBook,
    { params: { id: book.id }, query: { q } },
    {
      enabled: q !== '',
      keepPrevious: true,
    },
  )
  const hits = q === '' ? undefined : data
  const status = error
    ? textOf(error)
    : hits?.truncated
      ? t('search.many', { count: hits.results.length })
      : hits && t('search.found', { count: hits.results.length })
  return (
    <Stack gap={2}>
      <TextInput
        label={t('search.label')}
        value={text}
        maxLength={200}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
      <Text quiet size={14} className={styles.count} role="status">
        {status ?? ''}
      </Text>
      <Stack as="ol" className={styles.list}>
        {(hits?.results ?? []).map(({ locator, before, match, after }, index) => {
          const location = locationOf(map, locator)
          return location === undefined ? null : (
            <li key={index}>
              <Row
                as="button"
                gap={4}
                justify="between"
                type="button"
                className={styles.entry}
                onClick={() => onGo({ ...location, quote: { before, match, after } })}
              >
                <span className={styles.text} dir="auto">
                  {before}
                  <mark>{match}</mark>
                  {after}
                  {locator.title === undefined ? null : <span className={styles.where}>{locator.title}</span>}
                </span>
                <Percent of={progressAt(map, location.index, location.fraction)} />
              </Row>
            </li>
          )
        })}
      </Stack>
    </Stack>
  )
}
