import { ActionIcon, Menu } from '@mantine/core'
import { Fragment, type FunctionComponent, type ReactNode } from 'react'
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
  /** A line stands between actions of different groups. */
  readonly group?: string
}

type ActionLink = FunctionComponent<{ readonly to: string; readonly children: ReactNode }>

interface ActionMenuProps {
  readonly label: string
  readonly actions: readonly MenuAction[]
  /** How its button looks, where that is not as usual. */
  readonly className?: string | undefined
  /** It is the link component of the app's router. */
  readonly link: ActionLink
}

/** Rare actions stand behind three dots. */
export const ActionMenu = ({ label, actions, className = styles.icon, link }: ActionMenuProps): ReactNode => {
  if (actions.length === 0) return null
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" className={className ?? ''} aria-label={label} title={label}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuActions actions={actions} link={link} />
      </Menu.Dropdown>
    </Menu>
  )
}

interface MenuActionsProps extends Pick<ActionMenuProps, 'actions' | 'link'> {
  /** The first of them has the focus as soon as it is there. */
  readonly isFocused?: boolean
}

/** What stands in a menu. */
export const MenuActions = ({ actions, link: Link, isFocused = false }: MenuActionsProps): ReactNode =>
  actions.map(({ key, icon, label: words, to, href, run, group }, index) => {
    const shared = {
      leftSection: <Icon name={icon} size="small" />,
      className: styles.item ?? '',
      'data-autofocus': isFocused && index === 0 ? true : undefined,
    }
    return (
      <Fragment key={key}>
        {index > 0 && group !== actions[index - 1]?.group ? <Menu.Divider /> : null}
        {to !== undefined ? (
          <Menu.Item component={Link} to={to} {...shared}>
            {words}
          </Menu.Item>
        ) : href !== undefined ? (
          <Menu.Item component="a" href={href} download {...shared}>
            {words}
          </Menu.Item>
        ) : (
          <Menu.Item onClick={run} {...shared}>
            {words}
          </Menu.Item>
        )}
      </Fragment>
    )
  })
