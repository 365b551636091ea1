import { ActionIcon } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './activity-button.module.css'
import { loadStrings } from '../text/language.ts'
import { useMay } from '../session/me.ts'
import { useSomethingRuns } from './running-tasks.ts'
import { Icon } from '../ui/icon.tsx'
import { useShortcuts } from '../ui/keyboard/shortcuts.tsx'

/** Fetched when somebody wants to see it. */
const ActivityDrawer = lazy(async () => {
  const [{ ActivityDrawer }] = await Promise.all([
    import('../features/tasks/activity-drawer.tsx'),
    loadStrings(['tasks']),
  ])
  return { default: ActivityDrawer }
})

let open: () => void = () => undefined

/** The line at the side that says what runs leads there, too. */
export const openActivity = (): void => open()

/** The way to what the server does in the background, from everywhere. */
export const ActivityButton = (): ReactNode => (useMay('tasks:read') ? <Activity /> : null)

const Activity = (): ReactNode => {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState<boolean>()
  const isBusy = useSomethingRuns()
  const label = t(isBusy ? 'activity.busy' : 'activity.open')
  useEffect(() => {
    open = () => setIsOpen(true)
    return () => {
      open = () => undefined
    }
  }, [])
  useShortcuts(t('shortcuts.everywhere'), [{ keys: 'g a', label: t('shortcuts.activity'), run: () => setIsOpen(true) }])
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={styles.button ?? ''}
        aria-label={label}
        title={label}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="activity" />
        {isBusy ? <span className={styles.mark} /> : null}
      </ActionIcon>
      {isOpen === undefined ? null : (
        <Suspense>
          <ActivityDrawer isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
