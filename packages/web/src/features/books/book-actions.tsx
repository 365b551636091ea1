import type { BookDetail } from '@carrel/api'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addressOfBook } from '../../api/file-address.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { MoveWindow } from '../../lists/selection/hand-windows.ts'
import { useMarks } from '../../lists/marks/use-marks.ts'
import { useWantToRead } from '../../lists/marks/use-want-to-read.ts'
import { useMay, useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProviders } from '../../session/providers.ts'
import { ActionMenu, IconAction, type MenuAction } from '../../ui/action-menu.tsx'
import { MainAction, NoMainAction } from '../../ui/detail/main-action.tsx'
import { IconLink } from '../../ui/icon-link.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { nameOf } from './book-files.tsx'
import { FileDetails } from './file-details.tsx'
import type { MainActionText } from '../../ui/detail/main-action.tsx'

interface BookActionsProps {
  readonly book: BookDetail
  readonly main: MainActionText | undefined
}

/** The actions on a book begin with reading it. */
export const BookActions = ({ book, main }: BookActionsProps): ReactNode => {
  const { t } = useTranslation('books')
  const [open, setOpen] = useState<'file' | 'move'>()
  const close = (): void => setOpen(undefined)
  const marks = useMarks()
  const want = useWantToRead()
  const goTo = useGoTo()
  const isRead = book.readProgress?.completed === true
  const toggleRead = (): void => void marks.markBooks([book.id], isRead ? 'unread' : 'read')
  const toggleWantToRead = (): void => void want('books', [book], !book.wantToRead)
  const mayDownload = useMay('files:download') && !book.deleted
  const actions = useBookMenu(book, setOpen)
  useShortcuts(t('shortcuts'), [
    ...(main ? [{ keys: 'r', label: t('read'), run: goTo(main.to) }] : []),
    { keys: 'm', label: t(isRead ? 'markUnread' : 'markRead'), run: toggleRead },
    { keys: 'w', label: t(book.wantToRead ? 'dropWanted' : 'addWanted'), run: toggleWantToRead },
    { keys: 'i', label: t('fileDetails'), run: () => setOpen('file') },
  ])
  return (
    <>
      {main ? <MainAction link={AppLink} {...main} /> : <NoMainAction />}
      <IconAction
        icon="heart"
        label={t(book.wantToRead ? 'dropWanted' : 'addWanted')}
        isOn={book.wantToRead}
        onClick={toggleWantToRead}
      />
      <IconAction icon="check" label={t(isRead ? 'markUnread' : 'markRead')} isOn={isRead} onClick={toggleRead} />
      {mayDownload ? <IconLink icon="download" label={t('download')} href={addressOfBook(book.id)} /> : null}
      <ActionMenu label={t('more')} actions={actions} link={AppLink} />
      <FileDetails book={book} isOpen={open === 'file'} onClose={close} />
      <Suspense>{open === 'move' ? <MoveWindow books={[book]} onDone={close} onClose={close} /> : null}</Suspense>
    </>
  )
}

/** Metadata can be in these. */
const carriers: ReadonlySet<BookDetail['fileFormat']> = new Set(['cbz', 'epub', 'folder'])

const useBookMenu = (book: BookDetail, open: (window: 'file' | 'move') => void): readonly MenuAction[] => {
  const { t } = useTranslation('books')
  const marks = useMarks()
  const mayEdit = useMay('books:write')
  const mayArrange = useMay('series:write')
  const mayReadOwn = useMay('progress:read')
  const { id, libraryId, deleted, files, readProgress } = book
  const mayMatch = useProviders('book', libraryId, { enabled: mayEdit }).length > 0
  const mayDownload = useMay('files:download') && !deleted
  const downloads = files.map((file): MenuAction => ({
    key: file.id,
    icon: 'download',
    label: files.length > 1 ? t('downloadAs', { format: nameOf(file) }) : t('download'),
    href: addressOfBook(id, file.chosen ? {} : { file: file.id }),
  }))
  const other = useMe().downloadMetadata === 'embedded' ? 'original' : 'embedded'
  const otherDownload: MenuAction = {
    key: other,
    icon: 'download',
    label: t(other === 'embedded' ? 'downloadEmbedded' : 'downloadOriginal'),
    href: addressOfBook(id, { metadata: other }),
  }
  const isBegun = readProgress !== null && !readProgress.completed
  return [
    ...(isBegun
      ? [
          {
            key: 'forget',
            icon: 'undo',
            label: t('forget'),
            run: () => void marks.markBooks([book.id], 'unread'),
          } as const,
        ]
      : []),
    ...(mayReadOwn ? [{ key: 'history', icon: 'clock', label: t('history'), to: paths.bookHistory(id) } as const] : []),
    { key: 'file', icon: 'info', label: t('fileDetails'), run: () => open('file') },
    ...(mayDownload ? downloads : []),
    ...(mayDownload && carriers.has(book.fileFormat) ? [otherDownload] : []),
    ...(mayEdit
      ? ([
          { key: 'edit', icon: 'edit', label: t('edit'), to: paths.editBook(id) },
          { key: 'cover', icon: 'book', label: t('chooseCover'), to: paths.bookCover(id) },
        ] as const)
      : []),
    ...(mayMatch ? [{ key: 'match', icon: 'search', label: t('findMetadata'), to: paths.matchBook(id) } as const] : []),
    ...(mayArrange
      ? [{ key: 'move', icon: 'series', label: t('moveToSeries'), run: () => open('move') } as const]
      : []),
  ]
}
