import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemText } from '../../lists/item/item-text.ts'
import { ItemList } from '../../lists/item-list.tsx'
import { fanOf } from '../../lists/named/list-head.tsx'
import { parseListSearch } from '../../lists/search/list-search.ts'
import { sourceOf } from '../../lists/search/sources.ts'
import { AppLink } from '../../navigation/link.tsx'
import { toned } from '../../ui/cover/toned.ts'
import { Fan } from '../../ui/detail/fan.tsx'
import { WorkHead } from '../../ui/detail/work-head.tsx'
import { WorkPage } from '../../ui/detail/work-page.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { type TermKind, termKinds } from './kinds.ts'
import { WayOut } from '../../navigation/way-out.tsx'

interface TermPageProps {
  readonly kind: TermKind
  readonly name: string
  readonly words: Readonly<Record<string, unknown>>
  readonly facts?: readonly ReactNode[]
  readonly children?: ReactNode
}

/** Everything that carries one name: a fan of its covers, and its series and its books. */
export const TermPage = ({ kind, name, words, facts = [], children }: TermPageProps): ReactNode => {
  const { t } = useTranslation('terms')
  const text = useItemText()
  const scope = { term: { kind, name } }
  const series = useQuery(sourceOf('series', parseListSearch('series', {}), scope).page(1)).data?.body
  const books = useQuery(sourceOf('books', parseListSearch('books', {}), scope).page(1)).data?.body
  const seriesCount = series?.total ?? 0
  const bookCount = books?.total ?? 0
  const isBooks = words.tab === 'books' || seriesCount === 0
  const members = seriesCount > 0 ? (series?.data ?? []) : (books?.data ?? [])
  const { pathOf, pathOfAll } = termKinds[kind]
  const here = pathOf(name)
  const empty = (
    <EmptyState
      icon="search"
      title={t('none')}
      text={t('noneText')}
      action={<WayOut to={pathOfAll()} label={t(`all.${kind}`)} />}
    />
  )
  const tabs = [
    ...(seriesCount > 0
      ? [{ to: here, label: t('series'), isCurrent: !isBooks, count: text.number(seriesCount) }]
      : []),
    ...(bookCount > 0
      ? [{ to: `${here}?tab=books`, label: t('books'), isCurrent: isBooks, count: text.number(bookCount) }]
      : []),
  ]
  return (
    <WorkPage {...toned(members[0]?.tone)}>
      <WorkHead
        kind="list"
        cover={<Fan covers={fanOf(members)} icon="series" />}
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
        {isBooks ? (
          <ItemList
            kind="books"
            scope={scope}
            search={parseListSearch('books', words)}
            label={t('booksOf', { name })}
            empty={empty}
          />
        ) : (
          <ItemList
            kind="series"
            scope={scope}
            search={parseListSearch('series', words)}
            label={t('seriesOf', { name })}
            empty={empty}
          />
        )}
      </Stack>
    </WorkPage>
  )
}
