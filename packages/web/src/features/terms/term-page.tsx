import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemText } from '../../lists/item/item-text.ts'
import { ItemList } from '../../lists/item-list.tsx'
import { fanOf } from '../../lists/named/list-head.tsx'
import { parseListSearch, searchText } from '../../lists/search/list-search.ts'
import { type Scope, sourceOf } from '../../lists/search/sources.ts'
import { AppLink } from '../../navigation/link.tsx'
import { toned } from '../../ui/cover/toned.ts'
import { Fan, fanMax } from '../../ui/detail/fan.tsx'
import { WorkHead } from '../../ui/detail/work-head.tsx'
import { WorkPage } from '../../ui/detail/work-page.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { type TermKind, termKinds } from './kinds.ts'
import { type Role, Roles } from './roles.tsx'
import { WayOut } from '../../navigation/way-out.tsx'

interface TermPageProps {
  readonly kind: TermKind
  readonly name: string
  readonly words: Readonly<Record<string, unknown>>
  readonly facts?: readonly ReactNode[]
  /** Only what somebody did in this role is listed; it was counted already. */
  readonly role?: Role | undefined
  /** All that somebody did, to choose from. */
  readonly roles?: readonly Role[]
  readonly children?: ReactNode
}

/** Everything that carries one name: a fan of its covers, and its series and its books. */
export const TermPage = ({ kind, name, words, facts = [], role, roles = [], children }: TermPageProps): ReactNode => {
  const { t } = useTranslation('terms')
  const text = useItemText()
  const scope = { term: { kind, name } }
  const series = useQuery(sourceOf('series', parseListSearch('series', {}), scope).page(1)).data?.body
  const books = useQuery(sourceOf('books', parseListSearch('books', {}), scope).page(1)).data?.body
  const seriesCount = series?.total ?? 0
  const bookCount = books?.total ?? 0
  const shown = role ?? { seriesCount, bookCount }
  const isBooks = words.tab === 'books' || shown.seriesCount === 0
  const members = seriesCount > 0 ? (series?.data ?? []) : (books?.data ?? [])
  const { pathOf, pathOfAll } = termKinds[kind]
  const here = pathOf(name)
  const listed = role === undefined ? scope : { term: { kind, name, role: role.role } }
  const tabs = (['series', 'books'] as const).flatMap((tab) => {
    const count = tab === 'series' ? shown.seriesCount : shown.bookCount
    if (count === 0) return []
    const to = here + searchText({ tab: tab === 'books' ? tab : undefined, role: role?.role })
    return [{ to, label: t(tab), isCurrent: isBooks === (tab === 'books'), count: text.number(count) }]
  })
  return (
    <WorkPage {...toned(members[0]?.tone)}>
      <WorkHead
        kind="list"
        cover={<Fan covers={fanOf(members)} icon="series" count={series && books ? members.length : fanMax} />}
        thumbhash={members[0]?.placeholder}
        above={<AppLink to={pathOfAll()}>{t(`all.${kind}`)}</AppLink>}
        title={name}
        facts={[
          ...facts,
          seriesCount > 0 ? text.count('series', seriesCount) : undefined,
          bookCount > 0 ? text.count('books', bookCount) : undefined,
        ]}
      >
        {children}
      </WorkHead>
      <Tabs label={t('tabs', { name })} link={AppLink} tabs={tabs} />
      <Stack gap={3}>
        <Roles name={name} roles={roles} chosen={role} tab={isBooks ? 'books' : undefined} />
        <Listed kind={kind} name={name} words={words} scope={listed} isBooks={isBooks} />
      </Stack>
    </WorkPage>
  )
}

interface ListedProps extends Pick<TermPageProps, 'kind' | 'name' | 'words'> {
  readonly scope: Scope
  readonly isBooks: boolean
}

const Listed = ({ kind, name, words, scope, isBooks }: ListedProps): ReactNode => {
  const { t } = useTranslation('terms')
  const list = { scope, empty: <Empty kind={kind} /> }
  return isBooks ? (
    <ItemList kind="books" search={parseListSearch('books', words)} label={t('booksOf', { name })} {...list} />
  ) : (
    <ItemList kind="series" search={parseListSearch('series', words)} label={t('seriesOf', { name })} {...list} />
  )
}

const Empty = ({ kind }: Pick<TermPageProps, 'kind'>): ReactNode => {
  const { t } = useTranslation('terms')
  const out = <WayOut to={termKinds[kind].pathOfAll()} label={t(`all.${kind}`)} />
  return <EmptyState icon="search" title={t('none')} text={t('noneText')} action={out} />
}
