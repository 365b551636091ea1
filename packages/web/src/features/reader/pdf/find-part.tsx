import { type BookDetail, searchInBook } from '@carrel/api'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../../api/queries.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { BarButton } from '../bars/bar-button.tsx'
import type { Find } from './use-document.tsx'
import styles from './document-drawer.module.css'

interface FindPartProps {
  readonly book: BookDetail
  readonly page: number
  readonly find: Find
  readonly onGo: (page: number) => void
}

const searchAfterMs = 300

/** The server looks through the whole book; what it is asked for no longer it gives up. */
export const FindPart = ({ book, page, find, onGo }: FindPartProps): ReactNode => {
  const { t } = useTranslation('reader')
  const hits = useHits(book, find.text)
  const { here, go, step } = useSteps({ page, find, onGo }, hits.places)
  const field = useField()
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  }
  return (
    <Stack gap={2}>
      <input
        ref={field}
        type="search"
        className={styles.field}
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        value={find.text}
        maxLength={200}
        data-autofocus
        onChange={({ currentTarget }) => find.search(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Row gap={1} justify="between" className={styles.steps}>
        <Text quiet size={13} role="status">
          {here >= 0 ? t('find.at', { at: here + 1, count: hits.places.length }) : hits.status}
        </Text>
        {hits.places.length === 0 ? null : (
          <Row>
            <BarButton icon="up" label={t('find.previous')} onClick={() => step(-1)} />
            <BarButton icon="down" label={t('find.next')} onClick={() => step(1)} />
          </Row>
        )}
      </Row>
      <Passages passages={hits.places} here={here} isComing={hits.isComing} onGo={go} />
    </Stack>
  )
}

type Passage = ReturnType<typeof placesIn>[number]

/** Where one is among the places, and the way from one to another: round the end to the first again. */
const useSteps = ({ page, find, onGo }: Omit<FindPartProps, 'book'>, passages: readonly Passage[]) => {
  const { passage } = find
  const here = passages.findIndex((each) => each.page === passage?.page && each.nth === passage.nth)
  const go = (to: number): void => {
    const hit = passages.at(to % Math.max(1, passages.length))
    if (!hit) return
    find.choose(hit)
    onGo(hit.page)
  }
  // The first one goes to is the next from where one reads.
  const first = Math.max(
    0,
    passages.findIndex((each) => each.page >= page),
  )
  return { here, go, step: (by: 1 | -1): void => go(here >= 0 ? here + by : by === 1 ? first : first - 1) }
}

interface PassagesProps {
  readonly passages: readonly Passage[]
  readonly here: number
  readonly isComing: boolean
  readonly onGo: (index: number) => void
}

const Passages = ({ passages, here, isComing, onGo }: PassagesProps): ReactNode => {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.children[here]?.scrollIntoView({ block: 'nearest' })
  }, [here])
  return (
    <Stack as="ol" ref={list} className={styles.list} aria-busy={isComing}>
      {passages.map(({ before, match, after, page }, index) => (
        <li key={index}>
          <Row
            as="button"
            gap={3}
            justify="between"
            align="baseline"
            type="button"
            className={styles.entry}
            aria-current={index === here ? 'location' : undefined}
            onClick={() => onGo(index)}
          >
            <span className={styles.text} dir="auto">
              {before}
              <mark>{match}</mark>
              {after}
            </span>
            <span className={styles.page}>{page}</span>
          </Row>
        </li>
      ))}
    </Stack>
  )
}

/** One types at once, also when the drawer was open already. */
const useField = () => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    field.current?.select()
  }, [])
  return field
}

const useHits = (book: BookDetail, text: string) => {
  const { t } = useTranslation('reader')
  const textOf = useProblemText()
  const [q] = useDebouncedValue(text.trim(), searchAfterMs)
  const input = { params: { id: book.id }, query: { q } }
  const { data, error, isFetching } = useLater(searchInBook, input, { enabled: q !== '' })
  const passages = useMemo(() => placesIn(q === '' ? [] : (data?.results ?? [])), [q, data])
  const count = passages.length
  const announcement = data?.truncated === true ? t('find.many', { count }) : data && t('find.found', { count })
  return {
    places: passages,
    isComing: isFetching || q !== text.trim(),
    status: q === '' ? '' : error ? textOf(error) : (announcement ?? ''),
  }
}

interface Hit {
  readonly locator: { readonly locations: { readonly position?: number | undefined } }
  readonly before: string
  readonly match: string
  readonly after: string
}

/** Hits come in the order of the book: the nth of a page is the nth that is marked on it. */
const placesIn = (hits: readonly Hit[]) => {
  const onPage = new Map<number, number>()
  return hits.map(({ locator, before, match, after }) => {
    const page = locator.locations.position ?? 1
    const nth = onPage.get(page) ?? 0
    onPage.set(page, nth + 1)
    return { page, nth, before, match, after }
  })
}
