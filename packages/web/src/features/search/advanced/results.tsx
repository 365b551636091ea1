import {
  type BookDto,
  type bookOrders,
  type BookSort,
  type ConditionTarget,
  listBooksByCondition,
  listSeriesByCondition,
  type SeriesDto,
  type seriesOrders,
  type SeriesSort,
} from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../../api/queries.ts'
import { conditionText } from '../../../text/condition-text.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { useMay } from '../../../session/me.ts'
import { paths } from '../../../navigation/paths.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { CoverGrid } from '../../../ui/cover/cover-card.tsx'
import { Row, Stack } from '../../../ui/layout/layout.tsx'
import { CoverGridSkeleton } from '../../../ui/state/skeleton.tsx'
import { WayOut } from '../../../navigation/way-out.tsx'
import { EmptyState, ErrorState } from '../../../ui/state/state.tsx'
import { BookCard, SeriesCard } from '../../../lists/item/item-card.tsx'
import { Pages } from './pages.tsx'
import styles from './results.module.css'
import type { AdvancedSearch } from './search-of-page.ts'
import { longestAddress } from './use-search.ts'
import { type Question, listQueryOf } from './list-query.ts'

const pageSize = 60

interface ResultsProps {
  readonly target: ConditionTarget
  readonly question: Question
  readonly page: number
  readonly search: AdvancedSearch
}

/** The results are shown page by page. */
export const Results = ({ target, question, page, search }: ResultsProps): ReactNode => {
  const { t } = useTranslation('search')
  const textOf = useProblemText()
  const { data, error, isPending } = useResults({ target, question, page })
  return (
    <Stack gap={4}>
      <Row gap={3} align="end" justify="between" wrap>
        <SortSelect target={target} sort={question.sort} search={search} />
        <EditAll target={target} question={question} />
      </Row>
      {error ? (
        <ErrorState title={t('failed')} text={textOf(error)} />
      ) : isPending ? (
        <CoverGridSkeleton />
      ) : data === undefined || data.data.length === 0 ? (
        <EmptyState icon="filter" title={t('advanced.nothing')} text={t('advanced.nothingText')} action={<WayOut />} />
      ) : (
        <>
          <CoverGrid>
            {data.data.map((each) =>
              isSeries(each) ? <SeriesCard key={each.id} series={each} /> : <BookCard key={each.id} book={each} />,
            )}
          </CoverGrid>
          <Pages page={page} pages={data.totalPages} search={search} />
        </>
      )}
    </Stack>
  )
}

/**
 * Whoever may edit can edit all results together. Without a condition it is not offered, so that nobody edits
 * everything by mistake.
 */
const EditAll = ({ target, question: { condition, q } }: Pick<ResultsProps, 'target' | 'question'>): ReactNode => {
  const { t } = useTranslation('search')
  const where = conditionText(target, condition)
  const mayEdit = useMay(target === 'series' ? 'series:write' : 'books:write')
  if (!mayEdit || (where === '' && q === '') || where.length > longestAddress) return null
  const to = paths.bulkEdit({ of: target, ...(where !== '' && { where }), ...(q !== '' && { q }) })
  return (
    <Button component={AppLink} variant="default" to={to}>
      {t('advanced.editAll')}
    </Button>
  )
}

const isSeries = (item: SeriesDto | BookDto): item is SeriesDto => 'bookCount' in item

const useResults = ({ target, question, page }: Omit<ResultsProps, 'search'>) => {
  const { sort } = question
  const series = useLater(
    listSeriesByCondition,
    { query: { page, pageSize, ...(sort && { sort: sort as SeriesSort }) }, body: listQueryOf(question) },
    { enabled: target === 'series', keepPrevious: true },
  )
  const books = useLater(
    listBooksByCondition,
    { query: { page, pageSize, ...(sort && { sort: sort as BookSort }) }, body: listQueryOf(question) },
    { enabled: target === 'books', keepPrevious: true },
  )
  return target === 'series' ? series : books
}

/** Where an order has several names, the list takes the clearest one. */
const seriesSorts = [
  'name',
  'date_added',
  'date_updated',
  'release_date',
  'date_read',
  'book_count',
  'rating',
  'community_rating',
  'external_rating',
] as const satisfies readonly (keyof typeof seriesOrders)[]
const bookSorts = [
  'name',
  'series',
  'number',
  'date_added',
  'date_updated',
  'release_date',
  'file_size',
  'filename',
  'page_count',
  'last_read',
] as const satisfies readonly (keyof typeof bookOrders)[]

interface SortSelectProps {
  readonly target: ConditionTarget
  readonly sort: string | undefined
  readonly search: AdvancedSearch
}

const SortSelect = ({ target, sort, search }: SortSelectProps): ReactNode => {
  const { t } = useTranslation('search')
  const navigate = useNavigate()
  const orders = target === 'series' ? seriesSorts : bookSorts
  const options = orders.flatMap((order) =>
    (['asc', 'desc'] as const).map((direction) => ({
      value: `${order},${direction}`,
      label: `${t(`advanced.sort.${order}`)} ${direction === 'asc' ? '↑' : '↓'}`,
    })),
  )
  return (
    <NativeSelect
      className={styles.sort ?? ''}
      label={t('advanced.sortLabel')}
      value={sort ?? ''}
      data={[{ value: '', label: t('advanced.sortUsual') }, ...options]}
      onChange={({ currentTarget }) =>
        void navigate({
          to: '/search/advanced',
          search: {
            ...search,
            sort: currentTarget.value === '' ? undefined : currentTarget.value,
            page: undefined,
          } as AdvancedSearch,
          state: true,
          resetScroll: false,
        })
      }
    />
  )
}
