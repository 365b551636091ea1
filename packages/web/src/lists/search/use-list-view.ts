import { useRouter, useRouterState } from '@tanstack/react-router'
import { word } from '../../navigation/search-params.ts'
import type { Kind } from '../kinds.ts'
import { type ListSearch, searchText, wordsOfSearch } from './list-search.ts'

/** It changes what is seen of a list by going to its address: Back undoes it. Which of the lists of a page it is stays as it is. */
export const useListView = <K extends Kind>(kind: K): ((next: ListSearch<K>) => void) => {
  const go = useListNavigation(kind)
  return (next) => void go(next)
}

/** The same for those who have something to do when it has been changed. */
export const useListNavigation = <K extends Kind>(kind: K): ((next: ListSearch<K>) => Promise<void>) => {
  const router = useRouter()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (next) => {
    const { tab, role }: Readonly<Record<string, unknown>> = router.state.location.search
    const tabAndRole = { tab: word(tab), role: word(role) }
    return router.navigate({ href: pathname + searchText({ ...tabAndRole, ...wordsOfSearch(kind, next) }) })
  }
}
