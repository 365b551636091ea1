import { Kbd } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../dialog/dialog.tsx'
import { Row, Stack } from '../layout/layout.tsx'
import styles from './shortcut-list.module.css'
import type { ShortcutGroup } from './shortcut.ts'

interface ShortcutListProps {
  readonly groups: readonly ShortcutGroup[]
  readonly onClose: () => void
}

/** It lists all keys that do something now. */
export const ShortcutList = ({ groups, onClose }: ShortcutListProps): ReactNode => {
  const { t } = useTranslation()
  return (
    <Dialog title={t('shortcuts.title')} isOpen onClose={onClose}>
      {groups.map(({ title, shortcuts }) => (
        <section key={title}>
          <h3 className={styles.group}>{title}</h3>
          <Stack as="dl" gap={1}>
            {shortcuts.map(({ keys, label }) => (
              <Row gap={4} align="stretch" justify="between" key={keys} className={styles.row}>
                <dt>{label}</dt>
                <Row as="dd" gap={1} align="stretch">
                  {keys.split(' ').map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Row>
              </Row>
            ))}
          </Stack>
        </section>
      ))}
    </Dialog>
  )
}
