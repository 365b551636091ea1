import { useTranslation } from 'react-i18next'
import { useMarks } from '../../lists/marks/use-marks.ts'
import { useWantToRead } from '../../lists/marks/use-want-to-read.ts'
import { paths } from '../../navigation/paths.ts'
import type { Command } from './find-commands.ts'
import { type Hit, isBegun } from './hits.ts'

/** Enter leads there: into a book, and to the page of all else. */
export const pathOfHit = (hit: Hit): string => (hit.kind === 'book' ? paths.read(hit.id) : pathAbout(hit))

/** Ctrl+Enter leads there: to the page about it. */
export const pathAbout = ({ kind, id, value }: Hit): string => {
  switch (kind) {
    case 'series':
      return paths.series(id)
    case 'book':
      return paths.book(id)
    case 'person':
      return paths.person(value)
    case 'collection':
      return paths.collection(id)
    case 'readlist':
      return paths.readList(id)
  }
}

/** What else can be done with a hit; the arrow to the right shows it. */
export const useLineActions = (): ((hit: Hit) => readonly Command[]) => {
  const { t } = useTranslation('palette')
  const marks = useMarks()
  const want = useWantToRead()
  const line = (command: Pick<Command, 'key' | 'icon' | 'name' | 'to' | 'run'>): Command => ({
    where: '',
    words: '',
    ...command,
  })
  return (hit) => {
    const { kind, id, wantToRead, readProgress, unreadCount, seriesId } = hit
    if (kind !== 'book' && kind !== 'series') {
      return [line({ key: 'open', icon: 'right', name: t('action.open'), to: pathAbout(hit) })]
    }
    const isBook = kind === 'book'
    const isRead = isBook ? readProgress?.completed === true : unreadCount === 0
    const mark = isBook ? marks.markBooks : marks.markSeries
    const read = isBegun(hit) ? 'readOn' : isRead ? 'readAgain' : 'read'
    return [
      ...(isBook ? [line({ key: 'read', icon: 'play', name: t(`action.${read}`), to: paths.read(id) })] : []),
      line({
        key: 'about',
        icon: isBook ? 'info' : 'right',
        name: t(isBook ? 'action.about' : 'action.open'),
        to: pathAbout(hit),
      }),
      ...(isBook && seriesId != null && hit.oneShot !== true
        ? [line({ key: 'series', icon: 'series', name: t('action.toSeries'), to: paths.series(seriesId) })]
        : []),
      line({
        key: 'mark',
        icon: 'check',
        name: t(isRead ? 'action.markUnread' : 'action.markRead'),
        run: () => void mark([id], isRead ? 'unread' : 'read'),
      }),
      ...(wantToRead === undefined
        ? []
        : [
            line({
              key: 'want',
              icon: 'heart',
              name: t(wantToRead ? 'action.unwant' : 'action.want'),
              run: () => void want(isBook ? 'books' : 'series', [{ id, wantToRead }], !wantToRead),
            }),
          ]),
    ]
  }
}
