import type { ComponentType, ReactNode } from 'react'
import type { LinkProps } from './frame.tsx'
import styles from './tabs.module.css'

interface TabsProps {
  readonly label: string
  readonly link: ComponentType<LinkProps & { readonly 'aria-current'?: 'page' | undefined }>
  readonly tabs: readonly { readonly to: string; readonly label: string; readonly isCurrent: boolean }[]
}

/** The way between pages that belong together. They are links: each can be opened, reloaded and gone back from. */
export const Tabs = ({ label, link: Link, tabs }: TabsProps): ReactNode => (
  <nav aria-label={label} className={styles.tabs}>
    {tabs.map(({ to, label, isCurrent }) => (
      <Link key={to} to={to} className={styles.tab} aria-current={isCurrent ? 'page' : undefined}>
        {label}
      </Link>
    ))}
  </nav>
)
