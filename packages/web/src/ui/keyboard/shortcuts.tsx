import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Shortcut, ShortcutGroup } from './shortcut.ts'

const groups = new Set<ShortcutGroup>()
const betweenMs = 1200
let before: { readonly key: string; readonly at: number } | undefined

/** The keys of a page or a part of it, for as long as it is shown; `?` lists them. The latest wins. */
export const useShortcuts = (title: string, shortcuts: readonly Shortcut[]): void => {
  useEffect(() => {
    const group = { title, shortcuts }
    groups.add(group)
    return () => {
      groups.delete(group)
    }
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'))

const find = (keys: string): Shortcut | undefined =>
  [...groups]
    .toReversed()
    .flatMap(({ shortcuts }) => shortcuts)
    .find((shortcut) => shortcut.keys === keys)

/** It does what these keys do on the present page. */
export const pressKeys = (keys: string): void => find(keys)?.run()

let isForDialog = false

/**
 * The listener runs before any other: a dialog or a menu that Escape closes is gone when our turn comes, and the key was not
 * meant for the page.
 */
const note = (): void => {
  isForDialog = document.querySelector('[role="dialog"], [role="menu"], dialog[open]') !== null
}

const press = (event: KeyboardEvent): void => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
  if (isForDialog) return
  const isSecond = before !== undefined && event.timeStamp - before.at < betweenMs
  const shortcut = (isSecond && before ? find(`${before.key} ${event.key}`) : undefined) ?? find(event.key)
  before = { key: event.key, at: event.timeStamp }
  if (!shortcut) return
  event.preventDefault()
  before = undefined
  shortcut.run()
}

/** Groups with the same title come under one heading. */
const together = (groups: readonly ShortcutGroup[]): readonly ShortcutGroup[] =>
  [...Map.groupBy(groups, ({ title }) => title)].map(([title, ofTitle]) => ({
    title,
    shortcuts: ofTitle.flatMap(({ shortcuts }) => shortcuts),
  }))

/** Fetched when somebody asks for it. */
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

/** Listens to the keys, and shows them all on `?`. Once, around everything. */
export const Shortcuts = (): ReactNode => {
  const { t } = useTranslation()
  const [listed, setListed] = useState<readonly ShortcutGroup[]>()
  useShortcuts(t('shortcuts.everywhere'), [
    { keys: '?', label: t('shortcuts.show'), run: () => setListed(together([...groups].toReversed())) },
  ])
  // Dialogs begin to listen in an effect, that of this very overlay among them: this comes before all effects.
  useLayoutEffect(() => {
    window.addEventListener('keydown', note, true)
    return () => window.removeEventListener('keydown', note, true)
  }, [])
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  if (listed === undefined) return null
  return (
    <Suspense>
      <ShortcutList groups={listed} onClose={() => setListed(undefined)} />
    </Suspense>
  )
}
