import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type BookMap, sectionAt, type Spot } from '../../../reader/ebook/book-map.ts'
import { announce } from '../../../ui/state/live-region.tsx'
import type { Shortcut } from '../../../ui/keyboard/shortcut.ts'
import { useShortcuts } from '../../../ui/keyboard/shortcuts.tsx'
import { leaveReader } from '../controls/leave.ts'
import { useSpace } from '../controls/use-keys.ts'
import type { ReaderSettingsInUse } from '../settings/use-reader-settings.ts'
import type { Panel } from './bars/panel.ts'
import type { BookmarkHere } from './marks/use-bookmark.ts'
import type { BookView } from './use-book-view.ts'
import type { EbookAppearance } from './settings/use-ebook-appearance.ts'
import type { EbookReading } from './use-ebook-reading.ts'
import type { Narration } from './narration/use-narration.ts'

interface Keys {
  readonly map: BookMap
  readonly reading: EbookReading
  readonly view: BookView
  readonly bookmark: BookmarkHere
  readonly narration: Narration | undefined
  readonly appearance: EbookAppearance
  readonly settings: ReaderSettingsInUse
  readonly isRightToLeft: boolean
  readonly onPanel: (panel: Panel | undefined) => void
  readonly onBars: () => void
  readonly onFullScreen: () => void
}

const sizeStep = 6
const zoomStep = 1.25

const key = (keys: string, label: string, run: () => void): Shortcut => ({ keys, label, run })

/** It binds everything the reader of texts does to keys. */
export const useEbookKeys = (keys: Keys): void => {
  const { t } = useTranslation('ebook')
  const router = useRouter()
  const { map, view, bookmark, narration, isRightToLeft, onPanel, onBars, onFullScreen } = keys
  const [forward, back] = [(): void => view.turn(1), (): void => view.turn(-1)]
  const [onwards, backwards] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const chapter = (by: 1 | -1): void => {
    const goal = chapterNextTo(keys, by)
    if (goal) view.jump(goal)
  }
  const [forText, forPages] = [useTextKeys(keys), usePageKeys(keys)]
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
    ...(map.fixed ? forPages : forText),
    key('c', t('contents.title'), () => onPanel('contents')),
    key('/', t('search.title'), () => onPanel('search')),
    key('n', t('marks.title'), () => onPanel('marks')),
    key('b', t('marks.bookmarkHere'), bookmark.toggle),
    ...(narration ? [key('p', t('keys.aloud'), narration.toggle)] : []),
    key('s', t('settings.title'), () => onPanel('settings')),
    key('m', t('keys.bars'), onBars),
    key('f', t('keys.fullScreen'), onFullScreen),
    key('Escape', t('keys.leave'), () => leaveReader(router)),
  ])
  useSpace(forward, back)
}

/** Files of a text are its chapters, unless they are its pages: then those the contents name. */
const chapterNextTo = ({ map, reading }: Keys, by: 1 | -1): Spot | undefined => {
  const here = reading.visiblePart?.index ?? reading.location.index
  const starts = map.fixed
    ? map.chapters.flatMap(({ section }) => section ?? [])
    : map.sections.flatMap(({ isLinear }, index) => (isLinear ? [index] : []))
  const [first = here, last = here] = [reading.visiblePart?.sections[0], reading.visiblePart?.sections.at(-1)]
  const index = by === 1 ? starts.find((each) => each > last) : starts.findLast((each) => each < first)
  return index === undefined ? undefined : { index, fraction: 0 }
}

/** These keys work only on flowing text. */
const useTextKeys = ({ appearance: { text }, settings }: Keys): Shortcut[] => {
  const { t } = useTranslation('ebook')
  const resize = (by: number): void => {
    const textSize = Math.min(400, Math.max(50, text.textSize + by))
    settings.choose('device', { textSize })
    announce(t('settings.percent', { percent: textSize }))
  }
  const flow = (): void => {
    const textFlow = text.textFlow === 'paged' ? 'scrolled' : 'paged'
    settings.choose('series', { textFlow })
    announce(t(`textFlow.${textFlow}`))
  }
  return [
    key('+', t('keys.larger'), () => resize(sizeStep)),
    key('-', t('keys.smaller'), () => resize(-sizeStep)),
    key('v', t('keys.flow'), flow),
  ]
}

/** These keys work only on fixed pages. */
const usePageKeys = ({ appearance: { isDouble }, settings, view }: Keys): Shortcut[] => {
  const { t } = useTranslation('reader')
  const double = (): void => {
    const spreads = isDouble ? 'single' : 'double'
    settings.choose('device', { spreads })
    announce(t(`spreads.${spreads}`))
  }
  return [
    key('+', t('keys.zoomIn'), () => view.zoom(zoomStep)),
    key('-', t('keys.zoomOut'), () => view.zoom(1 / zoomStep)),
    key('0', t('keys.zoomReset'), () => view.zoom(0)),
    key('d', t('keys.double'), double),
  ]
}
