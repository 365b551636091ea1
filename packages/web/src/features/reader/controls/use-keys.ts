import type { ReaderSettings } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageLayout } from '../../../reader/page-layout.ts'
import { announce } from '../../../ui/state/live-region.tsx'
import type { Shortcut } from '../../../ui/keyboard/shortcut.ts'
import { useShortcuts } from '../../../ui/keyboard/shortcuts.tsx'
import { type BoundAction, boundActions, type KeyBindings } from './key-bindings.ts'
import { leaveReader } from './leave.ts'
import type { PageView } from '../pages/paged-view.tsx'
import { fits, directions } from '../settings/choices.ts'
import type { ReaderSettingsInUse } from '../settings/use-reader-settings.ts'

interface Keys {
  readonly layout: PageLayout
  readonly view: RefObject<PageView | null>
  readonly settings: ReaderSettingsInUse
  readonly bindings: KeyBindings
  readonly pageCount: number
  readonly isDocument: boolean
  readonly onGo: (page: number) => void
  readonly onShift: () => void
  readonly onPanel: (panel: 'settings' | 'pages' | 'contents' | 'search') => void
  readonly onBars: () => void
  readonly onBookmark: () => void
  readonly onFullScreen: () => void
}

const after = <Word extends string>(words: readonly Word[], word: Word): Word =>
  words[(words.indexOf(word) + 1) % words.length] ?? word

/** It binds everything the reader does to keys: some always, the others as this person likes them. */
export const useKeys = (keys: Keys): void => {
  const { t } = useTranslation('reader')
  const router = useRouter()
  const { layout, view, bindings } = keys
  const forward = (): void => view.current?.forward()
  const back = (): void => view.current?.back()
  const isRightToLeft = layout.direction === 'rtl'
  const [onwards, backwards] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const actions = useActions(keys, { forward, back })
  const key = (name: string, label: string, run: () => void): Shortcut => ({ keys: name, label, run })
  useShortcuts(t('keys.title'), [
    key(onwards, t('keys.forward'), forward),
    key(backwards, t('keys.back'), back),
    key('ArrowDown', t('keys.forward'), forward),
    key('ArrowUp', t('keys.back'), back),
    key('PageDown', t('keys.forward'), forward),
    key('PageUp', t('keys.back'), back),
    key('Space', t('keys.forward'), forward),
    ...boundActions.map((action) => key(bindings.keyOf(action), t(`keys.${action}`), actions[action])),
    ...(keys.isDocument
      ? [
          key('c', t('contents'), () => keys.onPanel('contents')),
          key('/', t('find.title'), () => keys.onPanel('search')),
        ]
      : []),
    key('Escape', t('keys.leave'), () => leaveReader(router)),
  ])
  useSpace(forward, back)
}

type Steps = Readonly<Record<'forward' | 'back', () => void>>

const useActions = (keys: Keys, steps: Steps): Readonly<Record<BoundAction, () => void>> => {
  const { t } = useTranslation('reader')
  const { layout, view, settings, pageCount, onGo, onShift, onPanel, onBars, onBookmark, onFullScreen } = keys
  const choose = (level: 'series' | 'device', change: ReaderSettings, announcement: string): void => {
    settings.choose(level, change)
    announce(announcement)
  }
  return {
    ...steps,
    first: () => onGo(1),
    last: () => onGo(pageCount),
    zoomIn: () => view.current?.zoom(1.25),
    zoomOut: () => view.current?.zoom(0.8),
    zoomReset: () => view.current?.resetZoom(),
    double: () => choose('device', { spreads: layout.isDouble ? 'single' : 'double' }, t('keys.double')),
    shift: onShift,
    fit: () => {
      const fit = after(fits, layout.fit)
      choose('device', { fit }, t(`fit.${fit}`))
    },
    direction: () => {
      const direction = after(directions, layout.direction)
      choose('series', { direction }, t(`direction.${direction}`))
    },
    bookmark: onBookmark,
    pages: () => onPanel('pages'),
    settings: () => onPanel('settings'),
    bars: onBars,
    fullScreen: onFullScreen,
  }
}

/** The space bar reads on, unless it presses a button. */
export const useSpace = (forward: () => void, back: () => void): void => {
  const latest = useRef({ forward, back })
  useEffect(() => {
    latest.current = { forward, back }
  })
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey) return
      const { target } = event
      if (target instanceof Element && target.closest('button, a, input, select, summary, [role="dialog"]')) return
      if (document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      if (event.shiftKey) latest.current.back()
      else latest.current.forward()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
