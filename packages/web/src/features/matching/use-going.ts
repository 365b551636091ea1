import { useRouter } from '@tanstack/react-router'
import { goTo } from '../../navigation/go-to.ts'
import { paths } from '../../navigation/paths.ts'
import type { Matchable } from './matchable.ts'
import type { MatchSearch } from './match-search.ts'

export type Go = (search: MatchSearch) => void

/** The address of what is shown here. */
export const addressFor = (of: Matchable, id: string, { plugin, q, candidate, match }: MatchSearch): string => {
  const query = {
    ...(plugin !== undefined && { plugin }),
    ...(q !== undefined && { q }),
    ...(candidate !== undefined && { candidate }),
    ...(match !== undefined && { match }),
  }
  return of.kind === 'series' ? paths.matchSeries(id, query) : paths.matchBook(id, query)
}

/** It leads to another view of this page; each view is an address of its own. */
export const useGoing = (of: Matchable, id: string): Go => {
  const router = useRouter()
  return (search) => goTo(router, addressFor(of, id, search))
}

/** Back to the queue, to the page of it one came from. */
export const useLeaving = (): (() => void) => {
  const router = useRouter()
  return () => {
    if (router.history.canGoBack()) router.history.back()
    else goTo(router, paths.matches())
  }
}
