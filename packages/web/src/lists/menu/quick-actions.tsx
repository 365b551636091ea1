import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/me.ts'
import { useItemName } from '../../text/book-name.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Center } from '../../ui/layout/layout.tsx'
import { isReadWhole } from '../item/item-text.ts'
import { useMarks } from '../marks/use-marks.ts'
import type { MenuItem } from './item-menu-request.ts'
import styles from './quick-actions.module.css'
import { useOpenMenu } from './use-menu-of.ts'
import { useReading } from './use-reading.ts'

/** What one does most, over the cover: all of it is in the menu too, for those who do not point. */
export const QuickActions = ({ item }: { readonly item: MenuItem }): ReactNode => {
  const { t } = useTranslation('lists')
  const title = useItemName()(item)
  const read = useReading()
  const marks = useMarks()
  const openMenu = useOpenMenu()
  const mayMark = useMay('progress:write')
  const as = isReadWhole(item) ? 'unread' : 'read'
  return (
    <>
      <QuickAction icon="play" label={t('quick.read', { title })} onClick={() => read(item)} isMain />
      {mayMark ? (
        <QuickAction
          icon={as === 'read' ? 'check' : 'undo'}
          label={t(`quick.mark_${as}`, { title })}
          onClick={() => void ('seriesId' in item ? marks.markBooks([item.id], as) : marks.markSeries([item.id], as))}
        />
      ) : null}
      <QuickAction
        icon="more"
        label={t('quick.more', { title })}
        hasMenu
        onClick={(button) => openMenu(item, button)}
      />
    </>
  )
}

interface QuickActionProps {
  readonly icon: IconName
  readonly label: string
  readonly isMain?: boolean
  readonly hasMenu?: boolean
  readonly onClick: (button: HTMLButtonElement) => void
}

const QuickAction = ({ icon, label, isMain = false, hasMenu = false, onClick }: QuickActionProps): ReactNode => (
  <Center
    as="button"
    type="button"
    className={styles.action}
    data-is-main={isMain}
    aria-label={label}
    title={label}
    aria-haspopup={hasMenu ? 'menu' : undefined}
    onClick={({ currentTarget }) => onClick(currentTarget)}
  >
    <Icon name={icon} size={isMain ? 'medium' : 'small'} />
  </Center>
)
