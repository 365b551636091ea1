import type { ReaderSettings } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageLayout } from '../../../reader/page-layout.ts'
import { announce } from '../../../ui/state/live-region.tsx'
import type { Shortcut } from '../../../ui/keyboard/shortcut.ts'
import { useShortcuts } from '../../../ui/keyboard/shortcuts.tsx'
import { leaveReader } from './leave.ts'
import type { PageView } from '../pages/paged-view.tsx'
import { fits, directions } from '../settings/choices.ts'
import type { ReaderSettingsInUse } from '../settings/use-reader-settings.ts'

interface Keys {
  readonly layout: PageLayout
  readonly view: RefObject<PageView | null>
  readonly settings: ReaderSettingsInUse
  readonly pageCount: number
  readonly onGo: (page: number) => void
  readonly onShift: () => void
  readonly onPanel: (panel: 'settings' | 'pages') => void
  readonly onBars: () => void
  readonly onFullScreen: () => void
}

const after = <Word extends string>(words: readonly Word[], word: Word): Word =>
  words[(words.indexOf(word) + 1) % words.length] ?? word

/** It binds everything the reader does to keys. */
export const useKeys = (keys: Keys): void => {
  const { t } = useTranslation('reader')
  const router = useRouter()
  const { layout, view, settings, pageCount, onGo, onShift, onPanel, onBars, onFullScreen } = keys
  const forward = (): void => view.current?.forward()
  const back = (): void => view.current?.back()
  const isRightToLeft = layout.direction === 'rtl'
  const [onwards, backwards] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const choose = (change: ReaderSettings, announcement: string): void => {
    settings.save('series', change)
    announce(announcement)
  }
  const key = (name: string, label: string, run: () => void): Shortcut => ({ keys: name, label, run })
  useShortcuts(t('keys.title'), [
    key(onwards, t('keys.forward'), forward),
    key(backwards, t('keys.back'), back),
    key('ArrowDown', t('keys.forward'), forward),
    key('ArrowUp', t('keys.back'), back),
    key('PageDown', t('keys.forward'), forward),
    key('PageUp', t('keys.back'), back),
    key('Space', t('keys.forward'), forward),
    key('Home', t('keys.first'), () => onGo(1)),
    key('End', t('keys.last'), () => onGo(pageCount)),
    key('+', t('keys.zoomIn'), () => view.current?.zoom(1.25)),
    key('-', t('keys.zoomOut'), () => view.current?.zoom(0.8)),
    key('0', t('keys.zoomReset'), () => view.current?.resetZoom()),
    key('d', t('keys.double'), () => choose({ spreads: layout.isDouble ? 'single' : 'double' }, t('keys.double'))),
    key('x', t('keys.shift'), onShift),
    key('v', t('keys.fit'), () => {
      const fit = after(fits, layout.fit)
      choose({ fit }, t(`fit.${fit}`))
    }),
    key('r', t('keys.direction'), () => {
      const direction = after(directions, layout.direction)
      choose({ direction }, t(`direction.${direction}`))
    }),
    key('p', t('keys.pages'), () => onPanel('pages')),
    key('s', t('keys.settings'), () => onPanel('settings')),
    key('m', t('keys.bars'), onBars),
    key('f', t('keys.fullScreen'), onFullScreen),
    key('Escape', t('keys.leave'), () => leaveReader(router)),
  ])
  useSpace(forward, back)
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
      if (target instanceof Element && target.closest('button, a, input, select, [role="dialog"]')) return
      if (document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      if (event.shiftKey) latest.current.back()
      else latest.current.forward()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
