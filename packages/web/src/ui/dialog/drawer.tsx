import { Drawer as MantineDrawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { windowProps } from './dialog.tsx'
import { useFocusBack } from './use-focus-back.ts'

interface DrawerProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** What is behind it is looked at, too. */
  readonly isClear?: boolean
  readonly children: ReactNode
}

/** A window at the side: the page stays visible where there is room for both. */
export const Drawer = ({ title, isOpen, onClose, isClear = false, children }: DrawerProps): ReactNode => {
  const { t } = useTranslation()
  useFocusBack(isOpen)
  return (
    <MantineDrawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      position="right"
      size="28rem"
      withOverlay={!isClear}
      closeButtonProps={{ 'aria-label': t('close') }}
      {...windowProps}
    >
      {children}
    </MantineDrawer>
  )
}
