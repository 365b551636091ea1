import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../dialog/dialog.tsx'
import { Center, Row, Stack } from '../layout/layout.tsx'
import { useKeyName } from './key-name.ts'
import styles from './shortcut-list.module.css'
import type { Shortcut, ShortcutGroup } from './shortcut.ts'

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
            {byLabel(shortcuts).map(([label, ways]) => (
              <Row gap={4} justify="between" key={label} className={styles.row}>
                <dt>{label}</dt>
                <Row as="dd" gap={3} justify="end" wrap>
                  {ways.map((keys) => (
                    <Keys key={keys} keys={keys} />
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

/** What several keys do is said once. */
const byLabel = (shortcuts: readonly Shortcut[]): readonly (readonly [string, readonly string[]])[] =>
  [...Map.groupBy(shortcuts, ({ label }) => label)].map(([label, same]) => [
    label,
    [...new Set(same.map(({ keys }) => keys))],
  ])

/** Keys to be pressed one after the other. */
const Keys = ({ keys }: { readonly keys: string }): ReactNode => {
  const nameOf = useKeyName()
  return (
    <Row as="span" gap={1}>
      {keys.split(' ').map((key) => (
        <Center as="kbd" key={key} className={styles.key}>
          {nameOf(key)}
        </Center>
      ))}
    </Row>
  )
}
