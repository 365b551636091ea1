import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { searchText } from '../../lists/search/list-search.ts'
import { AppLink } from '../../navigation/link.tsx'
import { FindField } from '../../ui/form/find-field.tsx'
import { Grid, Stack, Text } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { type TermKind, termKinds, termsOnPage } from './kinds.ts'
import styles from './terms.module.css'
import { ShowAll, WayOut } from '../../navigation/way-out.tsx'

interface Search {
  readonly q?: string | undefined
  readonly page?: number | undefined
}

const peopleRoute = getRouteApi('/signed-in/framed/people')
const genresRoute = getRouteApi('/signed-in/framed/genres')
const tagsRoute = getRouteApi('/signed-in/framed/tags')

export const PeoplePage = (): ReactNode => <NamesPage kind="person" search={peopleRoute.useSearch()} />
export const GenresPage = (): ReactNode => <NamesPage kind="genre" search={genresRoute.useSearch()} />
export const TagsPage = (): ReactNode => <NamesPage kind="tag" search={tagsRoute.useSearch()} />

/** All names of a kind, each with how much carries it. */
const NamesPage = ({
  kind,
  search: { q, page = 1 },
}: {
  readonly kind: TermKind
  readonly search: Search
}): ReactNode => {
  const { t } = useTranslation('terms')
  const text = useItemText()
  const goTo = useGoTo()
  const { all, pathOf, pathOfAll, icon } = termKinds[kind]
  const input = { query: { page, pageSize: termsOnPage, ...(q !== undefined && { q }) } }
  const { data } = useLater(all, input, { keepPrevious: true })
  const names = data?.data ?? []
  const go = (next: Search): void =>
    goTo(pathOfAll() + searchText({ q: next.q, page: next.page === 1 ? undefined : String(next.page ?? 1) }))()
  return (
    <Page title={t(`all.${kind}`)}>
      <FindField
        label={t('find')}
        className={styles.find}
        value={q ?? ''}
        onChange={(typed) => go({ q: typed === '' ? undefined : typed, page: 1 })}
      />
      {data?.total === 0 ? (
        <EmptyState
          icon={icon}
          title={t('noNames')}
          text={t('noNamesText')}
          action={q === undefined ? <WayOut /> : <ShowAll onClick={() => go({})} />}
        />
      ) : null}
      <Grid as="ul" gap={2} min={17}>
        {names.map(({ id, name, seriesCount, bookCount }) => (
          <li key={id}>
            <Stack as={AppLink} gap="hair" pad={3} to={pathOf(name)} className={styles.name}>
              <Text as="span" lines={1} dir="auto">
                {name}
              </Text>
              <Text as="span" quiet size={13}>
                {[
                  seriesCount > 0 ? text.count('series', seriesCount) : undefined,
                  bookCount > 0 ? text.count('books', bookCount) : undefined,
                ]
                  .filter((part) => part !== undefined)
                  .join(' · ')}
              </Text>
            </Stack>
          </li>
        ))}
      </Grid>
      <Pager
        label={t(`all.${kind}`)}
        page={page}
        pages={data?.totalPages ?? 1}
        onGo={(next) => go({ q, page: next })}
      />
    </Page>
  )
}
