import { ActionIcon, Menu } from '@mantine/core'
import type { FunctionComponent, ReactNode } from 'react'
import styles from './action-menu.module.css'
import { Icon, type IconName } from './icon.tsx'

interface IconActionProps {
  readonly icon: IconName
  /** The label names the action; it is also shown as a tooltip. */
  readonly label: string
  readonly isOn?: boolean
  readonly onClick: () => void
}

/** A button that is only a picture, as large as a finger on phones. */
export const IconAction = ({ icon, label, isOn = false, onClick }: IconActionProps): ReactNode => (
  <ActionIcon
    variant={isOn ? 'light' : 'default'}
    className={styles.icon ?? ''}
    aria-label={label}
    title={label}
    data-is-on={isOn}
    onClick={onClick}
  >
    <Icon name={icon} />
  </ActionIcon>
)

export interface MenuAction {
  readonly key: string
  readonly icon: IconName
  readonly label: string
  /** It leads there within the app … */
  readonly to?: string
  /** … or to a file … */
  readonly href?: string
  /** … or does it. */
  readonly run?: () => void
}

interface ActionMenuProps {
  readonly label: string
  readonly actions: readonly MenuAction[]
  /** How its button looks, where that is not as usual. */
  readonly className?: string | undefined
  /** It is the link component of the app's router. */
  readonly link: FunctionComponent<{ readonly to: string; readonly children: ReactNode }>
}

/** Rare actions stand behind three dots. */
export const ActionMenu = ({ label, actions, className = styles.icon, link: Link }: ActionMenuProps): ReactNode => {
  if (actions.length === 0) return null
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" className={className ?? ''} aria-label={label} title={label}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ key, icon, label: words, to, href, run }) => {
          const shared = { leftSection: <Icon name={icon} size="small" />, className: styles.item ?? '' }
          if (to !== undefined)
            return (
              <Menu.Item key={key} component={Link} to={to} {...shared}>
                {words}
              </Menu.Item>
            )
          if (href !== undefined)
            return (
              <Menu.Item key={key} component="a" href={href} download {...shared}>
                {words}
              </Menu.Item>
            )
          return (
            <Menu.Item key={key} onClick={run} {...shared}>
              {words}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
