import { findDuplicates, listBookDuplicates, listSeriesDuplicates } from '@carrel/api'
import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { BookGroup } from './book-group.tsx'
import { groupsOnPage } from './groups-on-page.ts'
import { SeriesGroup } from './series-group.tsx'
import styles from './duplicates-page.module.css'

const route = getRouteApi('/signed-in/framed/administered/duplicates')

/** Series and books that seem to be the same, side by side. */
export const DuplicatesPage = (): ReactNode => {
  const { t } = useTranslation('duplicates')
  const counts = useCounts()
  const of = useShown(counts)
  const navigate = route.useNavigate()
  return (
    <Page title={t('title')} actions={<FindDuplicates />}>
      <SegmentedControl
        className={styles.of ?? ''}
        aria-label={t('of')}
        value={of}
        data={[
          { value: 'series', label: <Counted name={t('series')} count={counts.series} /> },
          { value: 'books', label: <Counted name={t('books')} count={counts.books} /> },
        ]}
        onChange={(next) => void navigate({ search: { of: next === 'books' ? 'books' : 'series' } })}
      />
      {of === 'series' ? <SeriesGroups /> : <BookGroups />}
    </Page>
  )
}

const firstGroups = { query: { page: 1, pageSize: groupsOnPage } }

/** Where nobody has chosen, those are shown of which there are any; and they stay, whatever becomes of them. */
const useShown = ({ series, books }: { readonly series: number; readonly books: number }): 'series' | 'books' => {
  const { of } = route.useSearch()
  const [first] = useState<'series' | 'books'>(series === 0 && books > 0 ? 'books' : 'series')
  return of ?? first
}

const useCounts = () => ({
  series: useRead(listSeriesDuplicates, firstGroups).totalGroups,
  books: useRead(listBookDuplicates, firstGroups).totalGroups,
})

const Counted = ({ name, count }: { readonly name: string; readonly count: number }): ReactNode => {
  const { i18n } = useTranslation()
  return (
    <>
      {name}{' '}
      <Text as="span" quiet>
        {new Intl.NumberFormat(i18n.resolvedLanguage).format(count)}
      </Text>
    </>
  )
}

const FindDuplicates = (): ReactNode => {
  const { t } = useTranslation('duplicates')
  const textOf = useProblemText()
  const find = useChange(findDuplicates)
  if (!useMay('series:write')) return null
  return (
    <Button
      variant="default"
      loading={find.isPending}
      onClick={() =>
        find.mutate(
          {},
          {
            onSuccess: () => toast({ text: t('looking') }),
            onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
          },
        )
      }
    >
      {t('look')}
    </Button>
  )
}

const SeriesGroups = (): ReactNode => {
  const { page = 1 } = route.useSearch()
  const { duplicates, totalGroups } = useRead(listSeriesDuplicates, { query: { page, pageSize: groupsOnPage } })
  return (
    <Groups total={totalGroups}>
      {duplicates.map((group) => (
        <SeriesGroup key={group.id} group={group} />
      ))}
    </Groups>
  )
}

const BookGroups = (): ReactNode => {
  const { page = 1 } = route.useSearch()
  const { duplicates, totalGroups } = useRead(listBookDuplicates, { query: { page, pageSize: groupsOnPage } })
  return (
    <Groups total={totalGroups}>
      {duplicates.map((group) => (
        <BookGroup key={group.id} group={group} />
      ))}
    </Groups>
  )
}

interface GroupsProps {
  readonly total: number
  readonly children: ReactNode
}

const Groups = ({ total, children }: GroupsProps): ReactNode => {
  const { t } = useTranslation('duplicates')
  const { of, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  if (total === 0) return <EmptyState icon="check" title={t('none')} text={t('noneText')} />
  const pages = Math.ceil(total / groupsOnPage)
  const go = (to: number): void => void navigate({ search: { of, page: to === 1 ? undefined : to } })
  return (
    <>
      {children}
      {pages > 1 ? (
        <Row as="nav" gap={4} justify="center" aria-label={t('pages')}>
          <Button variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
            {t('previous')}
          </Button>
          <span>{t('pageOf', { page, pages })}</span>
          <Button variant="default" disabled={page >= pages} onClick={() => go(page + 1)}>
            {t('next')}
          </Button>
        </Row>
      ) : null}
    </>
  )
}
