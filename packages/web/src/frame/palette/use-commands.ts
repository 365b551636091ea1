import { listBackups, listLibraries, listTasks, logout, scanLibrary, startBackup } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { leave } from '../../api/leave.ts'
import { ensure, invalidate, query, queryClient } from '../../api/queries.ts'
import { adminMenu } from '../../features/admin/admin-menu.ts'
import { knownCategory, knownKeys } from '../../features/server-settings/setting-keys.ts'
import { goTo, isElsewhere } from '../../navigation/go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { toldBeforeLeaving } from '../../reader/before-leaving.ts'
import { useMe } from '../../session/me.ts'
import { useColourSchemeChange } from '../../session/change-preferences.ts'
import { useProblemText } from '../../text/problem-text.ts'
import type { IconName } from '../../ui/icon.tsx'
import { pressKeys } from '../../ui/keyboard/shortcuts.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { colourSchemes } from '../../ui/theme/colour-scheme.ts'
import { useRecommenders } from '../recommenders.ts'
import type { Command } from './find-commands.ts'
import { destinations } from './destinations.ts'

/** All that this user may do and where they may go. Nothing is requested for it. */
export const useCommands = (): readonly Command[] => {
  const [there, pages, settings, done] = [useDestinationCommands(), useAdminPages(), useSettings(), useActions()]
  return useMemo(() => [...there, ...done, ...pages, ...settings], [there, done, pages, settings])
}

const useDestinationCommands = (): readonly Command[] => {
  const { t } = useTranslation('palette')
  const { permissions } = useMe()
  const isRecommendedTo = useRecommenders().length > 0
  return useMemo(() => {
    const ofLibraries = (queryClient.getQueryData(query(listLibraries, {}).queryKey)?.body.data ?? []).map(
      ({ id, name }): Command => ({
        key: `library ${id}`,
        icon: 'library',
        name,
        where: t('where.library'),
        words: '',
        to: paths.library(id),
      }),
    )
    const reachable = destinations
      .filter(({ needs }) => needs === undefined || needs.some((each) => permissions.includes(each)))
      .filter((destination) => isRecommendedTo || !destination.isRecommended)
      .map(({ key, icon, to, where, shortcut }): Command => ({
        key,
        icon,
        to,
        shortcut,
        name: t(`name.${key}`),
        words: t(`words.${key}`),
        where: t(`where.${where}`),
      }))
    return [...reachable, ...ofLibraries]
  }, [t, permissions, isRecommendedTo])
}

const useAdminPages = (): readonly Command[] => {
  const { t } = useTranslation('palette')
  const { t: inMenu } = useTranslation('admin')
  const { permissions } = useMe()
  return useMemo(
    () =>
      adminMenu
        .filter(({ permission }) => permissions.includes(permission))
        .map(({ path, label, icon }): Command => ({
          key: `admin ${label}`,
          icon,
          to: path,
          name: inMenu(`menu.${label}.name`),
          words: inMenu(`menu.${label}.text`),
          where: t('where.admin'),
        })),
    [t, inMenu, permissions],
  )
}

const useSettings = (): readonly Command[] => {
  const { t } = useTranslation('palette')
  const { t: ofSettings } = useTranslation('server-settings')
  const { permissions } = useMe()
  return useMemo(() => {
    if (!permissions.includes('settings:read')) return []
    return knownKeys.map((key): Command => {
      const category = knownCategory(key.split('.')[0] ?? '')
      return {
        key: `setting ${key}`,
        icon: 'settings',
        to: paths.serverSettings({ q: key }),
        name: ofSettings(`setting.${key}.name`),
        words: `${ofSettings(`setting.${key}.text`)} ${key.replaceAll(/[._]/g, ' ')}`,
        where: [t('where.settings'), category === undefined ? '' : ofSettings(`category.${category}`)]
          .filter((part) => part !== '')
          .join(' · '),
      }
    })
  }, [t, ofSettings, permissions])
}

type ActionKey = 'scanAll' | 'backup' | `look_${(typeof colourSchemes)[number]}` | 'keyboard' | 'signOut'

const useActions = (): readonly Command[] => {
  const { t } = useTranslation('palette')
  const router = useRouter()
  const { permissions } = useMe()
  const wear = useColourSchemeChange()
  const textOf = useProblemText()
  const action = (key: ActionKey, icon: IconName, run: () => void): Command => ({
    key,
    icon,
    run,
    name: t(`name.${key}`),
    words: t(`words.${key}`),
    where: t('where.do'),
  })
  const attempt = (work: () => Promise<void>) => (): void =>
    void work().catch((error: unknown) => toast({ kind: 'problem', text: textOf(error) }))
  const signOut = async (): Promise<void> => {
    await toldBeforeLeaving()
    await call(logout, { body: {} })
    // From within a book this is another document.
    if (isElsewhere(router, paths.signIn())) return goTo(router, paths.signIn())
    await router.navigate({ href: paths.signIn() })
    return leave()
  }
  return [
    ...(permissions.includes('libraries:write')
      ? [
          action(
            'scanAll',
            'refresh',
            attempt(async () => toast({ text: t('scanning', { count: await scanAll() }) })),
          ),
        ]
      : []),
    ...(permissions.includes('system:admin')
      ? [
          action(
            'backup',
            'copy',
            attempt(async () => {
              await backUp()
              toast({ text: t('backingUp') })
            }),
          ),
        ]
      : []),
    ...colourSchemes.map((scheme) => action(`look_${scheme}`, 'eye', () => wear(scheme))),
    action('keyboard', 'keyboard', () => pressKeys('?')),
    action('signOut', 'leave', attempt(signOut)),
  ]
}

const scanAll = async (): Promise<number> => {
  const { data: libraries } = await ensure(listLibraries, {})
  await Promise.all(
    libraries.map(({ id }) => call(scanLibrary, { params: { id }, body: { mode: 'changes', paths: [] } })),
  )
  await invalidate(listTasks)
  return libraries.length
}

const backUp = async (): Promise<void> => {
  await call(startBackup, {})
  await invalidate(listTasks, listBackups)
}
