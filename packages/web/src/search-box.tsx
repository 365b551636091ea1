import { suggest, type Suggestions } from '@carrel/api'
import { useDebouncedValue } from '@mantine/hooks'
import { useLocation, useRouter } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from './api/queries.ts'
import { wordText } from './condition-word.ts'
import { paths } from './paths.ts'
import type { IconName } from './ui/icon.tsx'
import { SearchField } from './ui/search-field.tsx'
import { useShortcuts } from './ui/shortcuts.tsx'

type Suggestion = Suggestions['suggestions'][number]

const icons: Readonly<Record<Suggestion['kind'], IconName>> = {
  series: 'series',
  book: 'book',
  person: 'person',
  collection: 'collection',
  readlist: 'list',
}

const placeOf = ({ kind, id, value }: Suggestion): string => {
  switch (kind) {
    case 'series':
      return paths.series(id)
    case 'book':
      return paths.book(id)
    case 'person':
      return paths.advancedSearch({
        of: 'series',
        where: `author=${wordText(value)}`,
      })
    case 'collection':
      return paths.collection(id)
    case 'readlist':
      return paths.readList(id)
  }
}

const waitMs = 120

type Input = RefObject<HTMLInputElement | null>

const focusOn = ({ current }: Input): void => {
  current?.focus()
  current?.select()
}

/** Ctrl+K and ⌘K, also from within a field. */
const useSearchKey = (input: Input): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      if (document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      focusOn(input)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [input])
}

/** The box at the top of every page. */
export const SearchBox = (): ReactNode => {
  const { t } = useTranslation()
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const { pathname, search } = useLocation()
  const searched = pathname === paths.search() && typeof search.q === 'string' ? search.q : ''
  const [typed, setTyped] = useState<string>()
  const text = typed ?? searched
  const [settled] = useDebouncedValue(text.trim(), waitMs)
  const { data } = useLater(
    suggest,
    { query: { q: settled } },
    { enabled: typed !== undefined && settled !== '', keepPrevious: true },
  )
  const suggestions = typed === undefined || text.trim() === '' ? [] : (data?.suggestions ?? [])
  useShortcuts(t('shortcuts.everywhere'), [{ keys: '/', label: t('searchBox.focus'), run: () => focusOn(input) }])
  useSearchKey(input)
  const go = (href: string): void => {
    setTyped(undefined)
    input.current?.blur()
    void router.navigate({ href })
  }
  return (
    <SearchField
      label={t('searchBox.label')}
      placeholder={t('searchBox.placeholder')}
      value={text}
      onChange={setTyped}
      options={suggestions.map((suggestion) => ({
        key: `${suggestion.kind} ${suggestion.id}`,
        icon: icons[suggestion.kind],
        text: suggestion.value,
        hint: t(`searchBox.kind.${suggestion.kind}`, { count: suggestion.count }),
      }))}
      optionsLabel={t('searchBox.suggestions')}
      onChoose={(key) => {
        const chosen = suggestions.find(({ kind, id }) => `${kind} ${id}` === key)
        if (chosen) go(placeOf(chosen))
      }}
      onSubmit={() => {
        if (text.trim() !== '') go(paths.search({ q: text.trim() }))
      }}
      input={input}
      shortcut="/"
    />
  )
}
