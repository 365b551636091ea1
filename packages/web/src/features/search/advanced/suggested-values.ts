import { bookFacets, type ConditionTarget, readBookFacets, readSeriesFacets, seriesFacets } from '@carrel/api'
import { useLater } from '../../../api/queries.ts'

const valuesMax = 500

/** The values of a field are suggestions, the most frequent first. */
export const useSuggestedValues = (target: ConditionTarget, field: string): readonly string[] => {
  const ofSeries = target === 'series' ? seriesFacets.find((each) => each === field) : undefined
  const ofBooks = target === 'books' ? bookFacets.find((each) => each === field) : undefined
  const series = useLater(
    readSeriesFacets,
    { body: { facets: ofSeries ? [ofSeries] : [], limit: valuesMax } },
    { enabled: ofSeries !== undefined },
  )
  const books = useLater(
    readBookFacets,
    { body: { facets: ofBooks ? [ofBooks] : [], limit: valuesMax } },
    { enabled: ofBooks !== undefined },
  )
  const { data } = target === 'series' ? series : books
  return (data?.facets[field] ?? []).map(({ value }) => String(value))
}
