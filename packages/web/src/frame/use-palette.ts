import { type ComponentType, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadStrings } from '../text/language.ts'
import { useShortcuts } from '../ui/keyboard/shortcuts.tsx'
import { closePalette, openPalette, usePaletteFrame } from './open-palette.ts'
import type { PaletteProps } from './palette/palette.tsx'

/** Nobody needs it before they search; whoever points at the field soon will. */
const loadPalette = async (): Promise<ComponentType<PaletteProps>> => {
  const [{ Palette }] = await Promise.all([
    import('./palette/palette.tsx'),
    loadStrings(['palette', 'lists', 'admin', 'server-settings']),
  ])
  return Palette
}

export const isMac = /Mac|iP(?:hone|ad)/.test(navigator.platform)
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

/** The palette, as far as it is there: fetched when somebody asks for it, with what was typed until then. */
export const usePalette = (keys: readonly string[]) => {
  const { t } = useTranslation()
  const frame = usePaletteFrame()
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>()
  const isWaiting = frame !== undefined && Palette === undefined
  const { typed, forget } = useTypedBefore(isWaiting)
  const prepare = useCallback(() => loadPalette().then((part) => setPalette(() => part)), [])
  useEffect(() => {
    // The server may be away: the notice about that says so, and the key works again when it is back.
    if (isWaiting) prepare().catch(closePalette)
  }, [isWaiting, prepare])
  useShortcuts(
    t('shortcuts.everywhere'),
    [...keys, isMac ? '⌘+k' : 'Ctrl+k'].map((each) => ({
      keys: each,
      label: t('searchBox.focus'),
      run: () => openPalette(),
    })),
  )
  useSearchKey()
  return {
    frame,
    Palette,
    typed,
    prepare: (): void => void prepare().catch(() => undefined),
    onClose: (): void => {
      forget()
      closePalette()
    },
  }
}
