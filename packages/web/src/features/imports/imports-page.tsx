import { type ImportDto, listImports } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Page, Section } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { nameOf } from './kinds.ts'
import { NewImport } from './new-import.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/imports')

/** To read what another server holds, and what has been read. */
export const ImportsPage = (): ReactNode => {
  const { t } = useTranslation('imports')
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, total, totalPages } = useRead(listImports, { query: { page } })
  return (
    <Page title={t('title')} subtitle={t('text')} width="narrow">
      <NewImport />
      <Section title={t('list')}>
        {total === 0 ? <EmptyState icon="download" title={t('none')} text={t('noneText')} /> : null}
        <RowList label={t('list')}>
          {data.map((each) => (
            <ImportRow key={each.id} each={each} />
          ))}
        </RowList>
        <Pager
          label={t('list')}
          page={page}
          pages={totalPages}
          onGo={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
        />
      </Section>
    </Page>
  )
}

const ImportRow = ({ each: { id, kind, state, createdAt, source } }: { readonly each: ImportDto }): ReactNode => {
  const { t } = useTranslation('imports')
  const { moment } = useTimeText()
  const location = source.path ?? source.url
  return (
    <ListRow
      icon="download"
      title={<AppLink to={paths.oneImport(id)}>{t('of', { server: nameOf(kind), when: moment(createdAt) })}</AppLink>}
      mark={<StateMark state={state} />}
      text={location === null ? undefined : <code dir="ltr">{location}</code>}
    />
  )
}

const appearances = {
  reading: 'busy',
  ready: 'plain',
  applying: 'busy',
  applied: 'good',
  undoing: 'busy',
  undone: 'plain',
  failed: 'danger',
} as const

export const StateMark = ({ state }: Pick<ImportDto, 'state'>): ReactNode => {
  const { t } = useTranslation('imports')
  return <Mark kind={appearances[state]}>{t(`state.${state}`)}</Mark>
}
