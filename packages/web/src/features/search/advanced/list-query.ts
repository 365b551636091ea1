import {
  type BookListQuery,
  type ConditionTarget,
  listBooksByCondition,
  listSeriesByCondition,
  type SeriesListQuery,
} from '@carrel/api'
import { useLater } from '../../../api/queries.ts'
import type { Tree } from '../../../text/condition-text.ts'

export interface Question {
  readonly condition: Tree
  readonly q: string
  readonly sort?: string | undefined
}

/** The lists accept this form. The tree was built from the fields of its target. */
export const listQueryOf = ({ condition, q }: Question): SeriesListQuery & BookListQuery =>
  ({ condition, ...(q.trim() !== '' && { fullTextSearch: q }) }) as unknown as SeriesListQuery & BookListQuery

/** It returns how many entries fulfil the condition, as soon as that is known; until then the former number. */
export const useTotal = (target: ConditionTarget, question: Question | undefined): number | undefined => {
  const body = listQueryOf(question ?? { condition: { allOf: [] }, q: '' })
  const isEnabled = question !== undefined
  const query = { pageSize: 1 }
  const series = useLater(
    listSeriesByCondition,
    { query, body },
    { enabled: isEnabled && target === 'series', keepPrevious: true },
  )
  const books = useLater(
    listBooksByCondition,
    { query, body },
    { enabled: isEnabled && target === 'books', keepPrevious: true },
  )
  return isEnabled ? (target === 'series' ? series : books).data?.total : undefined
}
