import { useLocation } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../navigation/paths.ts'
import { loadStrings } from '../text/language.ts'
import { Icon } from '../ui/icon.tsx'
import { useShortcuts } from '../ui/keyboard/shortcuts.tsx'
import { Row } from '../ui/layout/layout.tsx'
import { closePalette, openPalette, usePaletteFrame } from './open-palette.ts'
import type { PaletteProps } from './palette/palette.tsx'
import styles from './search-box.module.css'

/** Nobody needs it before they search; whoever points at the field soon will. */
const loadPalette = async (): Promise<ComponentType<PaletteProps>> => {
  const [{ Palette }] = await Promise.all([
    import('./palette/palette.tsx'),
    loadStrings(['palette', 'lists', 'admin', 'server-settings']),
  ])
  return Palette
}

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.platform)
const dialogs = '[role="dialog"], dialog[open]'

/** Ctrl+K and ⌘K, also from within a field. */
const useSearchKey = (): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!document.querySelector(dialogs)) openPalette()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

interface TypedBefore {
  readonly text: string
  readonly isEntered: boolean
}

const nothingTyped: TypedBefore = { text: '', isEntered: false }

const withKey = (typed: TypedBefore, key: string): TypedBefore => {
  if (typed.isEntered) return typed
  if (key === 'Enter') return { ...typed, isEntered: typed.text.trim() !== '' }
  if (key === 'Backspace') return { ...typed, text: typed.text.slice(0, -1) }
  return key.length === 1 ? { ...typed, text: typed.text + key } : typed
}

/** What somebody types before the palette is there is kept for it. */
const useTypedBefore = (isWaiting: boolean) => {
  const [typed, setTyped] = useState(nothingTyped)
  // The very next key is heard.
  useLayoutEffect(() => {
    if (!isWaiting) return undefined
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      if (event.key === 'Escape') closePalette()
      else setTyped((before) => withKey(before, event.key))
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [isWaiting])
  return { typed, forget: () => setTyped(nothingTyped) }
}

/** A button that looks like the field it opens. */
export const SearchBox = (): ReactNode => {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const searched = pathname === paths.search() && typeof search.q === 'string' ? search.q : ''
  const field = useRef<HTMLButtonElement>(null)
  const frame = usePaletteFrame()
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>()
  const isWaiting = frame !== undefined && Palette === undefined
  const { typed, forget } = useTypedBefore(isWaiting)
  const prepare = useCallback(() => loadPalette().then((part) => setPalette(() => part)), [])
  useEffect(() => {
    // The server may be away: the notice about that says so, and the key works again when it is back.
    if (isWaiting) prepare().catch(closePalette)
  }, [isWaiting, prepare])
  useShortcuts(t('shortcuts.everywhere'), [
    { keys: '/', label: t('searchBox.focus'), run: () => openPalette() },
    { keys: isMac ? '⌘+k' : 'Ctrl+k', label: t('searchBox.focus'), run: () => openPalette() },
  ])
  useSearchKey()
  return (
    <>
      <Row
        as="button"
        type="button"
        gap={2}
        grow
        ref={field}
        className={styles.field}
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        data-is-open={frame === 'dropdown'}
        onClick={() => openPalette('dropdown')}
        onPointerEnter={() => void prepare().catch(() => undefined)}
        onFocus={() => void prepare().catch(() => undefined)}
      >
        <Icon name="search" />
        <span className={styles.words} data-is-searched={searched !== ''}>
          {searched === '' ? t('searchBox.label') : t('searchBox.again', { q: searched })}
        </span>
        <kbd className={styles.key} aria-hidden="true">
          {isMac ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </Row>
      {frame === undefined || Palette === undefined ? null : (
        <Palette
          frame={frame}
          field={field}
          text={typed.text || searched}
          isEntered={typed.isEntered}
          onClose={() => {
            forget()
            closePalette()
          }}
        />
      )}
    </>
  )
}
