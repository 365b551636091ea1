import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type BookMap, sectionAt } from '../../../reader/ebook/book-map.ts'
import { announce } from '../../../ui/live-region.tsx'
import type { Shortcut } from '../../../ui/shortcut.ts'
import { useShortcuts } from '../../../ui/shortcuts.tsx'
import { leaveReader } from '../leave.ts'
import { useSpace } from '../use-keys.ts'
import type { ReaderSettingsInUse } from '../use-reader-settings.ts'
import type { Panel } from './panel.ts'
import type { BookmarkHere } from './use-bookmark.ts'
import type { BookView } from './use-book-view.ts'
import type { EbookDress } from './use-ebook-look.ts'
import type { EbookPlace } from './use-ebook-place.ts'

interface Keys {
  readonly map: BookMap
  readonly place: EbookPlace
  readonly view: BookView
  readonly bookmark: BookmarkHere
  readonly dress: EbookDress
  readonly settings: ReaderSettingsInUse
  readonly isRightToLeft: boolean
  readonly onPanel: (panel: Panel) => void
  readonly onBars: () => void
  readonly onFullScreen: () => void
}

const sizeStep = 10

/** Everything the reader of texts does, by key. */
export const useEbookKeys = (keys: Keys): void => {
  const { t } = useTranslation('ebook')
  const router = useRouter()
  const { map, place, view, bookmark, dress, settings, isRightToLeft, onPanel, onBars, onFullScreen } = keys
  const { look } = dress
  const [forward, back] = [(): void => view.turn(1), (): void => view.turn(-1)]
  const [onwards, backwards] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const chapter = (by: 1 | -1): void => {
    const here = place.sight?.index ?? place.place.index
    const others = map.sections.map((_, index) => index).filter((index) => map.sections[index]?.isLinear)
    const index = by === 1 ? others.find((each) => each > here) : others.findLast((each) => each < here)
    if (index !== undefined) view.jump({ index, fraction: 0 })
  }
  const resize = (by: number): void => {
    const textSize = Math.min(400, Math.max(50, look.textSize + by))
    settings.save('device', { textSize })
    announce(t('settings.percent', { percent: textSize }))
  }
  const flow = (): void => {
    const textFlow = look.textFlow === 'paged' ? 'scrolled' : 'paged'
    settings.save('series', { textFlow })
    announce(t(`textFlow.${textFlow}`))
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
    key(']', t('keys.nextChapter'), () => chapter(1)),
    key('[', t('keys.previousChapter'), () => chapter(-1)),
    key('Home', t('keys.first'), () => view.jump(sectionAt(map, 0))),
    key('End', t('keys.last'), () => view.jump(sectionAt(map, 1))),
    key('Backspace', t('keys.return'), view.back),
    key('+', t('keys.larger'), () => resize(sizeStep)),
    key('-', t('keys.smaller'), () => resize(-sizeStep)),
    key('v', t('keys.flow'), flow),
    key('c', t('contents.title'), () => onPanel('contents')),
    key('/', t('search.title'), () => onPanel('search')),
    key('n', t('marks.title'), () => onPanel('marks')),
    key('b', t('marks.bookmarkHere'), bookmark.toggle),
    key('s', t('settings.title'), () => onPanel('settings')),
    key('m', t('keys.bars'), onBars),
    key('f', t('keys.fullScreen'), onFullScreen),
    key('Escape', t('keys.leave'), () => leaveReader(router)),
  ])
  useSpace(forward, back)
}
