import { useRouter, useRouterState } from '@tanstack/react-router'
import type { Kind } from '../kinds.ts'
import { type ListSearch, searchText, wordsOfSearch } from './list-search.ts'

/** It changes what is seen of a list by going to its address: Back undoes it. */
export const useListView = <K extends Kind>(kind: K): ((next: ListSearch<K>) => void) => {
  const router = useRouter()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (next) => void router.navigate({ href: pathname + searchText(wordsOfSearch(kind, next)) })
}
