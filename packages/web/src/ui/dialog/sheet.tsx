import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './sheet.module.css'

interface SheetProps {
  /** What it is about: words, or a picture with words. */
  readonly title: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Otherwise it is as high as what it holds. */
  readonly isTall?: boolean
  readonly children: ReactNode
}

/** A window at the lower edge of a phone, where a thumb reaches it. */
export const Sheet = ({ title, isOpen, onClose, isTall = false, children }: SheetProps): ReactNode => {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      position="bottom"
      returnFocus={false}
      // The reason is the one in dialog.tsx: Mantine's own way writes a style element.
      lockScroll={false}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{
        title: styles.title ?? '',
        header: styles.header ?? '',
        content: (isTall ? styles.tall : styles.content) ?? '',
        body: styles.body ?? '',
      }}
    >
      {children}
    </Drawer>
  )
}
