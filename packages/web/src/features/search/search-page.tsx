import { search as searchAll, type SearchResults } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { BookCard, SeriesCard } from '../../lists/item/item-card.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { WayOut } from '../../navigation/way-out.tsx'
import { paths, type SearchKind } from '../../navigation/paths.ts'
import { CoverGrid } from '../../ui/cover/cover-card.tsx'
import { announce } from '../../ui/state/live-region.tsx'
import { Page, Section } from '../../ui/layout/page.tsx'
import { CoverGridSkeleton } from '../../ui/state/skeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/state/state.tsx'
import { useProblemText } from '../../text/problem-text.ts'
import { NameResults } from './name-results.tsx'
import { fewOfEach, searchInput } from './search-input.ts'

const route = getRouteApi('/signed-in/framed/search')

/** The page shows the results of the search box, of every kind. */
export const SearchPage = (): ReactNode => {
  const { t } = useTranslation('search')
  const textOf = useProblemText()
  const { q, kind } = route.useSearch()
  const { data, error } = useLater(searchAll, searchInput({ q, kind }), { enabled: q !== undefined })
  const total = data === undefined ? undefined : kinds.reduce((sum, each) => sum + data[each].length, 0)
  useEffect(() => {
    if (total !== undefined) announce(t('found', { count: total }))
  }, [total, t])
  return (
    <Page
      title={q === undefined ? t('title') : t('titleOf', { q })}
      actions={
        <Button component={AppLink} variant="default" to={paths.advancedSearch(q === undefined ? {} : { q })}>
          {t('toAdvanced')}
        </Button>
      }
    >
      {q === undefined ? (
        <EmptyState icon="search" title={t('nothingAsked')} text={t('nothingAskedText')} action={<WayOut />} />
      ) : error ? (
        <ErrorState title={t('failed')} text={textOf(error)} />
      ) : data === undefined ? (
        <CoverGridSkeleton count={fewOfEach} />
      ) : total === 0 ? (
        <EmptyState icon="search" title={t('nothingFound', { q })} text={t('nothingFoundText')} action={<WayOut />} />
      ) : (
        <Results q={q} kind={kind} results={data} />
      )}
    </Page>
  )
}

const kinds: readonly SearchKind[] = ['series', 'books', 'people', 'collections', 'readlists']

interface ResultsProps {
  readonly q: string
  readonly kind: SearchKind | undefined
  readonly results: SearchResults
}

const Results = ({ q, kind, results }: ResultsProps): ReactNode => {
  const { t } = useTranslation('search')
  return kinds
    .filter((each) => results[each].length > 0 && (kind === undefined || kind === each))
    .map((each) => (
      <Section
        key={each}
        title={t(`kinds.${each}`)}
        actions={<More {...{ q, kind, each }} of={results[each].length} />}
      >
        <ResultsOfKind kind={each} results={results} />
      </Section>
    ))
}

interface MoreProps {
  readonly q: string
  readonly kind: SearchKind | undefined
  readonly each: SearchKind
  readonly of: number
}

/** For series and books there is a list of all matches; the other kinds show more on this page. */
const More = ({ q, kind, each, of }: MoreProps): ReactNode => {
  const { t } = useTranslation('search')
  if (kind !== undefined) {
    return <AppLink to={paths.search({ q })}>{t('allKinds')}</AppLink>
  }
  if (of < fewOfEach) return null
  const to =
    each === 'series' || each === 'books' ? paths.advancedSearch({ of: each, q }) : paths.search({ q, kind: each })
  return <AppLink to={to}>{t(`allOf.${each}`)}</AppLink>
}

const ResultsOfKind = ({
  kind,
  results,
}: {
  readonly kind: SearchKind
  readonly results: SearchResults
}): ReactNode => {
  const { t } = useTranslation('search')
  switch (kind) {
    case 'series':
      return (
        <CoverGrid>
          {results.series.map((series, index) => (
            <SeriesCard key={series.id} series={series} isFirst={index < 6} />
          ))}
        </CoverGrid>
      )
    case 'books':
      return (
        <CoverGrid>
          {results.books.map((book) => (
            <BookCard key={book.id} book={book} />
          ))}
        </CoverGrid>
      )
    case 'people':
      return (
        <NameResults
          icon="person"
          names={results.people.map(({ count, ...person }) => ({
            ...person,
            hint: t('series', { count }),
            to: paths.person(person.name),
          }))}
        />
      )
    case 'collections':
      return (
        <NameResults
          icon="collection"
          names={results.collections.map(({ count, ...collection }) => ({
            ...collection,
            hint: t('series', { count }),
            to: paths.collection(collection.id),
          }))}
        />
      )
    case 'readlists':
      return (
        <NameResults
          icon="list"
          names={results.readlists.map(({ count, ...list }) => ({
            ...list,
            hint: t('books', { count }),
            to: paths.readList(list.id),
          }))}
        />
      )
  }
}
