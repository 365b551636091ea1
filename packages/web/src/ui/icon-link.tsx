import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './action-menu.module.css'
import { Icon, type IconName } from './icon.tsx'

interface IconLinkProps {
  readonly icon: IconName
  /** The label names what it leads to; it is also shown as a tooltip. */
  readonly label: string
  /** The address of a file. */
  readonly href: string
}

/** A picture that fetches a file. */
export const IconLink = ({ icon, label, href }: IconLinkProps): ReactNode => (
  <ActionIcon
    component="a"
    variant="default"
    className={styles.icon ?? ''}
    aria-label={label}
    title={label}
    href={href}
    download
  >
    <Icon name={icon} />
  </ActionIcon>
)
