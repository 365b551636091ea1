import type { ConditionTarget } from '@carrel/api'
import { useDebouncedCallback } from '@mantine/hooks'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { conditionText, NoCondition, parseConditionText, type Tree } from '../../../text/condition-text.ts'
import { type Group, groupFrom, outlineOf, treeOf } from './builder.ts'
import type { AdvancedSearch } from './search-of-page.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A condition that is too long for an address: this window has it, until it is kept as a preset. */
    longCondition?: Tree
  }
}

const everything: Tree = { allOf: [] }
export const longestAddress = 1800
const settleMs = 350

export interface Preset {
  readonly condition: Tree
  readonly query: string | null
  readonly sort: string | null
}

/** The condition is written in the address, stored with it, or comes from the preset it names. */
export const questionOf = (
  { of, where, q, sort }: AdvancedSearch,
  long: Tree | undefined,
  preset: Preset | undefined,
): { readonly condition: Tree; readonly fault?: string; readonly q: string; readonly sort: string | undefined } => {
  // Any other part of the address wins over the whole preset.
  const meant = where === undefined && long === undefined && q === undefined ? preset : undefined
  const words = { q: q ?? meant?.query ?? '', sort: sort ?? preset?.sort ?? undefined }
  if (where === undefined) return { condition: long ?? meant?.condition ?? everything, ...words }
  try {
    return { condition: parseConditionText(of, where), ...words }
  } catch (error) {
    if (!(error instanceof NoCondition)) throw error
    return { condition: everything, fault: error.message, ...words }
  }
}

interface Written {
  readonly condition: Tree
  readonly q: string
}

/** The builder beside the address: typed at once here, there when one pauses; whatever comes by Back is taken over. */
export const useSearchBuilder = (target: ConditionTarget, requested: Written) => {
  const navigate = useNavigate()
  const { search } = useLocation()
  const source = `${target} ${requested.q} ${conditionText(target, requested.condition)}`
  const [state, setState] = useState(() => ({
    root: groupFrom(requested.condition),
    q: requested.q,
    seen: source,
    written: '',
  }))
  let { root, q } = state
  if (state.seen !== source) {
    if (state.written !== source) {
      root = groupFrom(requested.condition)
      q = requested.q
    }
    setState({ root, q, seen: source, written: '' })
  }
  const write = useDebouncedCallback((next: Group, words: string) => {
    const condition = treeOf(target, next) ?? everything
    const text = conditionText(target, condition)
    const isLong = text.length > longestAddress
    setState((before) => ({ ...before, written: `${target} ${words} ${text}` }))
    void navigate({
      to: '/search/advanced',
      search: {
        ...search,
        of: target,
        where: isLong || text === '' ? undefined : text,
        q: words.trim() === '' ? undefined : words,
        page: undefined,
        ...(text === '' && words.trim() === '' && { preset: undefined }),
      } as AdvancedSearch,
      state: isLong ? { longCondition: condition } : {},
      replace: outlineOf(next) === outlineOf(groupFrom(requested.condition)),
      resetScroll: false,
    })
  }, settleMs)
  return {
    root,
    q,
    change: (next: Group): void => {
      setState((before) => ({ ...before, root: next }))
      write(next, q)
    },
    setWords: (words: string): void => {
      setState((before) => ({ ...before, q: words }))
      write(root, words)
    },
  }
}
