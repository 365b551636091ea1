import type { BookDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemText } from '../../lists/item/item-text.ts'
import { type DetailRow, Details } from '../../ui/detail/details.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'

interface FileDetailsProps {
  readonly book: BookDetail
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The file behind a book: a reader needs none of it, a curator asks for all of it. */
export const useFileRows = (book: BookDetail): DetailRow[] => {
  const { t } = useTranslation('books')
  const text = useItemText()
  return [
    { label: t('format'), value: book.fileFormat.toUpperCase() },
    { label: t('size'), value: text.size(book.fileSize) },
    { label: t('pages'), value: book.analyzed ? text.number(book.pageCount) : t('notRead') },
    { label: t('path'), value: book.path === undefined ? null : <code dir="ltr">{book.path}</code> },
    { label: t('library'), value: book.libraryName },
    { label: t('fileHash'), value: book.fileHash === null ? null : <code>{book.fileHash}</code> },
    { label: t('koreaderHash'), value: book.koreaderHash === null ? null : <code>{book.koreaderHash}</code> },
    { label: t('added'), value: text.date(book.createdAt) },
    { label: t('updated'), value: text.date(book.updatedAt) },
  ]
}

/** The same in a dialog, for those who look for it in the menu. */
export const FileDetails = ({ book, isOpen, onClose }: FileDetailsProps): ReactNode => {
  const { t } = useTranslation('books')
  const rows = useFileRows(book)
  return (
    <Dialog title={t('fileDetails')} isOpen={isOpen} onClose={onClose} size="lg">
      <Details rows={rows} />
    </Dialog>
  )
}
