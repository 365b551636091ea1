import type { LibraryDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useScan } from '../../scans/use-scan.ts'
import { useMay } from '../../session/me.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'

interface LibraryMenuProps {
  readonly library: Pick<LibraryDto, 'id' | 'name'>
}

/** Whoever manages libraries gets to its scans and settings here, and whoever arranges series to what is put by hand. */
export const useLibraryActions = (library: LibraryMenuProps['library']): readonly MenuAction[] => {
  const { t } = useTranslation('libraries')
  const { start } = useScan(library)
  const mayManage = useMay('libraries:write')
  const mayArrange = useMay('series:write')
  const { id } = library
  return [
    ...(mayManage
      ? ([
          { key: 'scan', icon: 'refresh', label: t('scanNow'), run: () => start('changes') },
          { key: 'scans', icon: 'activity', label: t('openScans'), to: paths.adminLibrary(id) },
          { key: 'settings', icon: 'settings', label: t('openSettings'), to: paths.adminLibrarySettings(id) },
        ] as const)
      : []),
    ...(mayArrange ? [{ key: 'hand', icon: 'series', label: t('openByHand'), to: paths.byHand(id) } as const] : []),
  ]
}

export const LibraryMenu = ({ library }: LibraryMenuProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const actions = useLibraryActions(library)
  return <ActionMenu label={t('manage', { name: library.name })} link={AppLink} actions={actions} />
}
