import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import './scrollbar.ts'
import styles from './dialog.module.css'
import { Row } from '../layout/layout.tsx'
import { useFocusBack } from './use-focus-back.ts'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly size?: 'sm' | 'md' | 'lg' | 'xl'
  /** Buttons at the end. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Any window of Mantine is given these. */
export const windowProps = {
  // Mantine's own way writes a style element, which the content security policy refuses; base.css holds the page.
  lockScroll: false,
  classNames: {
    title: styles.title ?? '',
    header: styles.surface ?? '',
    content: styles.surface ?? '',
    body: styles.body ?? '',
  },
} as const

/** A window over the page: keeps the focus, closes on Escape, fills the screen of a phone's width. */
export const Dialog = ({ title, isOpen, onClose, size = 'md', actions, children }: DialogProps): ReactNode => {
  const { t } = useTranslation()
  useFocusBack(isOpen)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      centered
      closeButtonProps={{ 'aria-label': t('close') }}
      {...windowProps}
    >
      {children}
      {actions === undefined ? null : (
        <Row gap={2} align="stretch" justify="end" wrap className={styles.actions}>
          {actions}
        </Row>
      )}
    </Modal>
  )
}
