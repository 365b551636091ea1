import type { BookCondition, SeriesCondition } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NoCondition, parseConditionText } from '../../text/condition-text.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { BulkForm, type BulkTarget } from './bulk-form.tsx'
import type { BulkEditSearch } from './bulk-edit-search.ts'

const route = getRouteApi('/signed-in/framed/bulk-edit')

/** The page edits the chosen entries, or all that fulfil a condition; the address says which. */
export const BulkEditPage = (): ReactNode => {
  const { t } = useTranslation('editing')
  const search = route.useSearch()
  const target = targetOf(search)
  const kind = search.of === 'books' ? 'book' : 'series'
  return (
    <Page title={t(`bulk.title.${kind}`)} subtitle={t('bulk.text')} width="narrow">
      {target === undefined ? (
        <Notice kind="warning">{t('bulk.noTarget')}</Notice>
      ) : (
        <BulkForm kind={kind} target={target} />
      )}
    </Page>
  )
}

/** An address without ids and conditions edits nothing, so that nobody edits everything by mistake. */
const targetOf = ({ of, ids, where, q }: BulkEditSearch): BulkTarget | undefined => {
  if (ids !== undefined) return { ids: ids.split(',') }
  if (where === undefined && q === undefined) return undefined
  try {
    const condition = parseConditionText(of, where ?? '') as unknown as SeriesCondition | BookCondition
    return { condition, ...(q !== undefined && { fullTextSearch: q }) }
  } catch (error) {
    if (error instanceof NoCondition) return undefined
    throw error
  }
}
