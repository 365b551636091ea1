import { suggest } from '@carrel/api'
import { useDebouncedValue } from '@mantine/hooks'
import { useLocation, useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../api/queries.ts'
import { paths } from '../navigation/paths.ts'
import { SearchField } from '../ui/form/search-field.tsx'
import { useShortcuts } from '../ui/keyboard/shortcuts.tsx'

// The names of books and their covers: nobody needs them before they type.
const SuggestedItem = lazy(async () => ({ default: (await import('./suggested-item.tsx')).SuggestedItem }))

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
        content: (
          <Suspense fallback={<bdi>{suggestion.value}</bdi>}>
            <SuggestedItem suggestion={suggestion} />
          </Suspense>
        ),
      }))}
      optionsLabel={t('searchBox.suggestions')}
      onChoose={(key) => {
        const chosen = suggestions.find(({ kind, id }) => `${kind} ${id}` === key)
        if (chosen) void import('./suggested-item.tsx').then(({ pathOfSuggestion }) => go(pathOfSuggestion(chosen)))
      }}
      onSubmit={() => {
        if (text.trim() !== '') go(paths.search({ q: text.trim() }))
      }}
      input={input}
      shortcut="/"
    />
  )
}
