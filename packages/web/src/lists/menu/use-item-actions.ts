import type { BookDto, SeriesDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { addressOfBook, addressOfSeries } from '../../api/file-address.ts'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import type { MenuAction } from '../../ui/action-menu.tsx'
import { isReadWhole, progressOf, readShareOf } from '../item/item-text.ts'
import { useMarks } from '../marks/use-marks.ts'
import { useWantItems } from '../marks/use-want-to-read.ts'
import { isBook, kindOf, type SelectionWindow } from '../selection/selection-windows.tsx'
import type { MenuItem } from './item-menu-request.ts'
import { useReading } from './use-reading.ts'

export type MenuWindow = SelectionWindow | 'why'

/** What can be done with a book or a series, or with all that are chosen. */
export const useItemActions = (
  items: readonly MenuItem[],
  onOpen: (window: MenuWindow) => void,
): readonly MenuAction[] => {
  const reading = useReadingActions(items)
  const marking = useMarkingActions(items)
  const keeping = useKeepingActions(items, onOpen)
  const [item] = items
  const ofOne = useActionsOfOne(item, onOpen)
  return [...(items.length === 1 ? reading : []), ...marking, ...keeping, ...(items.length === 1 ? ofOne : [])]
}

const useReadingActions = ([item]: readonly MenuItem[]): readonly MenuAction[] => {
  const { t } = useTranslation('lists')
  const read = useReading()
  if (!item) return []
  const isBegun = isBook(item) ? progressOf(item) !== undefined : readShareOf(item) !== undefined
  const word = isReadWhole(item) ? 'again' : isBegun ? 'continue' : 'read'
  return [{ key: 'read', icon: 'play', label: t(`menu.${word}`), run: () => read(item), group: 'read' }]
}

const useMarkingActions = (items: readonly MenuItem[]): readonly MenuAction[] => {
  const { t } = useTranslation('lists')
  const marks = useMarks()
  const books = items.filter(isBook)
  const mark = (as: 'read' | 'unread') => (): void => void marks.markItems(items, as)
  const isAllRead = items.every(isReadWhole)
  const isBegun = items.some((item) => (isBook(item) ? item.readProgress !== null : item.unreadCount < item.bookCount))
  const [book] = books
  const canBeUpTo = items.length === 1 && book !== undefined && !book.oneShot
  return [
    ...(isAllRead
      ? []
      : [{ key: 'markRead', icon: 'check', label: t('markRead'), run: mark('read'), group: 'mark' } as const]),
    ...(isBegun
      ? [{ key: 'markUnread', icon: 'undo', label: t('markUnread'), run: mark('unread'), group: 'mark' } as const]
      : []),
    ...(canBeUpTo
      ? [
          {
            key: 'upTo',
            icon: 'series',
            label: t('menu.readUpTo'),
            run: () => void marks.markUpTo(book.id),
            group: 'mark',
          } as const,
        ]
      : []),
  ]
}

const useKeepingActions = (items: readonly MenuItem[], onOpen: (window: MenuWindow) => void): readonly MenuAction[] => {
  const { t } = useTranslation('lists')
  const want = useWantItems()
  const common = kindOf(items)
  const kind = common ?? 'books'
  const mayAdd = useMay(kind === 'series' ? 'collections:write' : 'readlists:write') && common !== undefined
  const mayEdit = useMay(`${kind}:write`) && common !== undefined
  const isWanted = items.every(({ wantToRead }) => wantToRead)
  const [item] = items
  const edit =
    items.length === 1 && item
      ? { to: kind === 'series' ? paths.editSeries(item.id) : paths.editBook(item.id) }
      : { run: () => onOpen('edit') }
  return [
    {
      key: 'want',
      icon: 'heart',
      label: t(isWanted ? 'menu.dropWanted' : 'wantToRead'),
      run: () => want(items, !isWanted),
      group: 'mark',
    },
    ...(mayAdd
      ? [
          {
            key: 'add',
            icon: kind === 'series' ? 'collection' : 'list',
            label: t(kind === 'series' ? 'addToCollection' : 'addToReadList'),
            run: () => onOpen('add'),
            group: 'mark',
          } as const,
        ]
      : []),
    ...(mayEdit ? [{ key: 'edit', icon: 'edit', label: t('edit'), ...edit, group: 'edit' } as const] : []),
  ]
}

const useActionsOfOne = (item: MenuItem | undefined, onOpen: (window: MenuWindow) => void): readonly MenuAction[] => {
  const { t } = useTranslation('lists')
  const mayDownload = useMay('files:download')
  const mayArrange = useMay('series:write')
  if (!item) return []
  const download = { key: 'download', icon: 'download', label: t('menu.download'), group: 'edit' } as const
  const href = addressOfFile(item)
  if (!isBook(item)) return mayDownload ? [{ ...download, href }] : []
  return [
    ...(mayDownload && !item.deleted ? [{ ...download, href }] : []),
    ...(mayArrange
      ? ([
          { key: 'move', icon: 'series', label: t('moveToSeries'), run: () => onOpen('move'), group: 'place' },
          { key: 'why', icon: 'info', label: t('menu.why'), run: () => onOpen('why'), group: 'place' },
        ] as const)
      : []),
  ]
}

const addressOfFile = (item: SeriesDto | BookDto): string =>
  isBook(item) ? addressOfBook(item.id) : addressOfSeries(item.id)
