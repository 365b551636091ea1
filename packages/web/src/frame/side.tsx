import { listFilterPresets } from '@carrel/api'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../api/queries.ts'
import { openActivity } from './activity-button.tsx'
import { AppLink } from '../navigation/link.tsx'
import { paths } from '../navigation/paths.ts'
import { useMay, useMe } from '../session/me.ts'
import { loadStrings } from '../text/language.ts'
import { useLocation } from '@tanstack/react-router'
import { NavGroup } from '../ui/layout/frame.tsx'
import { Icon } from '../ui/icon.tsx'
import { Center, Row } from '../ui/layout/layout.tsx'
import { isAt, useLibraries, useLibraryDestinations, useMayAdminister } from './destinations.tsx'
import { useSomethingRuns } from './running-tasks.ts'
import styles from './side.module.css'

// What filters are in words is known to the lists: the frame waits for nothing of that.
const SavedSearches = lazy(async () => ({ default: (await import('./saved-searches.tsx')).SavedSearches }))

const RunningLine = lazy(async () => {
  const [{ RunningLine }] = await Promise.all([import('../features/tasks/running-line.tsx'), loadStrings(['tasks'])])
  return { default: RunningLine }
})

/** With more libraries the others are on the page that the heading leads to. */
const shownMax = 20

/** The libraries, and what somebody wants to find again. */
export const SideGroups = (): ReactNode => {
  const { t } = useTranslation()
  const libraries = useLibraries()
  const libraryLinks = useLibraryDestinations(libraries.slice(0, shownMax))
  const { data } = useLater(listFilterPresets, { query: {} })
  return (
    <>
      <NavGroup
        link={AppLink}
        label={t('places.libraries')}
        to={paths.libraries()}
        items={libraryLinks}
        action={useMay('libraries:write') ? <AddLibrary /> : undefined}
      />
      {data === undefined || data.presets.length === 0 ? null : (
        <Suspense>
          <SavedSearches presets={data.presets} />
        </Suspense>
      )}
    </>
  )
}

const AddLibrary = (): ReactNode => {
  const { t } = useTranslation()
  return (
    <Center
      as={AppLink}
      to={paths.newLibrary()}
      className={styles.add}
      aria-label={t('addLibrary')}
      title={t('addLibrary')}
    >
      <Icon name="plus" size="small" />
    </Center>
  )
}

/** What runs, whose account this is, and the way to the administration. */
export const SideFoot = (): ReactNode => {
  const { t } = useTranslation()
  const { username } = useMe()
  const { pathname } = useLocation()
  const mayAdminister = useMayAdminister()
  return (
    <>
      {useMay('tasks:read') ? <Running /> : null}
      <Row gap={1} className={styles.foot}>
        <Row
          as={AppLink}
          gap={2}
          grow
          to={paths.account()}
          className={styles.person}
          aria-label={t('places.accountOf', { name: username })}
          title={t('places.account')}
          aria-current={isAt(pathname, paths.account()) ? 'page' : undefined}
        >
          <Center as="span" className={styles.face}>
            {[...username][0]?.toUpperCase()}
          </Center>
          <span className={styles.name}>{username}</span>
        </Row>
        {mayAdminister ? (
          <Center
            as={AppLink}
            to={paths.admin()}
            className={styles.admin}
            aria-label={t('places.admin')}
            title={t('places.admin')}
            aria-current={isAt(pathname, paths.admin()) ? 'page' : undefined}
          >
            <Icon name="settings" />
          </Center>
        ) : null}
      </Row>
    </>
  )
}

const Running = (): ReactNode =>
  useSomethingRuns() ? (
    <Suspense>
      <RunningLine onOpen={openActivity} />
    </Suspense>
  ) : null
