import {
  type BooksWanted,
  type ConditionTarget,
  listBooksWanted,
  listSeriesWanted,
  type SeriesWanted,
} from '@carrel/api'
import { useLater } from '../../../api/queries.ts'
import type { Tree } from '../../../condition-text.ts'

export interface Question {
  readonly condition: Tree
  readonly q: string
  readonly sort?: string | undefined
}

/** As the lists take it. The tree has been put together over the fields of its target. */
export const wantedBy = ({ condition, q }: Question): SeriesWanted & BooksWanted =>
  ({ condition, ...(q.trim() !== '' && { fullTextSearch: q }) }) as unknown as SeriesWanted & BooksWanted

/** How many fulfil it, as soon as it is known; until then as many as before. */
export const useTotal = (target: ConditionTarget, question: Question | undefined): number | undefined => {
  const asked = question ?? { condition: { allOf: [] }, q: '' }
  const isAsked = question !== undefined
  const query = { pageSize: 1 }
  const series = useLater(
    listSeriesWanted,
    { query, body: wantedBy(asked) },
    { enabled: isAsked && target === 'series', keepPrevious: true },
  )
  const books = useLater(
    listBooksWanted,
    { query, body: wantedBy(asked) },
    { enabled: isAsked && target === 'books', keepPrevious: true },
  )
  return isAsked ? (target === 'series' ? series : books).data?.total : undefined
}
