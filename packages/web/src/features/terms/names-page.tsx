import type { TermDto } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { PicturedName } from '../../lists/named/pictured-name.tsx'
import { seriesCover } from '../../lists/item/addresses.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { searchText } from '../../lists/search/list-search.ts'
import { menuOfSubject } from '../../lists/menu/use-menu-of.ts'
import { paths } from '../../navigation/paths.ts'
import { FindField } from '../../ui/form/find-field.tsx'
import { Grid } from '../../ui/layout/layout.tsx'
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
  const goTo = useGoTo()
  const { all, pathOfAll, icon } = termKinds[kind]
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
        {names.map((each) => (
          <Name key={each.id} kind={kind} name={each} />
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

interface NameProps {
  readonly kind: TermKind
  readonly name: TermDto
}

/** A name with covers and with how much carries it; its menu leads to either. */
const Name = ({ kind, name: { id, name, seriesCount, bookCount, covers } }: NameProps): ReactNode => {
  const { t } = useTranslation('terms')
  const text = useItemText()
  const { pathOf, icon } = termKinds[kind]
  const to = pathOf(name)
  const [first] = covers
  const figures = [
    seriesCount > 0 ? text.count('series', seriesCount) : undefined,
    bookCount > 0 ? text.count('books', bookCount) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
  const menu = menuOfSubject({
    id,
    name,
    text: figures,
    cover: first === undefined ? null : seriesCover({ ...first, id: first.seriesId }, 44),
    icon,
    actions: [
      ...(seriesCount > 0 ? [{ key: 'series', icon: 'series', label: t('series'), to } as const] : []),
      ...(bookCount > 0 ? [{ key: 'books', icon: 'book', label: t('books'), to: `${to}?tab=books` } as const] : []),
      { key: 'search', icon: 'search', label: t('searchFor', { name }), to: paths.search({ q: name }) },
    ],
  })
  return (
    <li {...menu}>
      <PicturedName icon={icon} name={name} covers={covers} hint={figures} to={to} />
    </li>
  )
}
