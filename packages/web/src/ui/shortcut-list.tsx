import { Kbd } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
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
          <dl className={styles.list}>
            {shortcuts.map(({ keys, label }) => (
              <div key={keys} className={styles.row}>
                <dt>{label}</dt>
                <dd className={styles.keys}>
                  {keys.split(' ').map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
