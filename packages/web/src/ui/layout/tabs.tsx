import type { ComponentType, ReactNode } from 'react'
import type { LinkProps } from './frame.tsx'
import { Row } from './layout.tsx'
import styles from './tabs.module.css'

interface TabsProps {
  readonly label: string
  readonly link: ComponentType<LinkProps & { readonly 'aria-current'?: 'page' | undefined }>
  readonly tabs: readonly {
    readonly to: string
    readonly label: string
    readonly isCurrent: boolean
    /** How many there are behind it. */
    readonly count?: string | undefined
  }[]
  /** Where there is room they stand below each other, at the side of the page. */
  readonly isMenu?: boolean
}

/** The way between pages that belong together. They are links: each can be opened, reloaded and gone back from. */
export const Tabs = ({ label, link: Link, tabs, isMenu = false }: TabsProps): ReactNode => (
  <Row
    as="nav"
    gap={1}
    align="stretch"
    ref={showCurrent}
    aria-label={label}
    className={styles.tabs}
    data-is-menu={isMenu || undefined}
  >
    {tabs.map(({ to, label, isCurrent, count }) => (
      <Link key={to} to={to} className={styles.tab} aria-current={isCurrent ? 'page' : undefined}>
        {label}
        {count === undefined ? null : <span className={styles.count}>{count}</span>}
      </Link>
    ))}
  </Row>
)

/** Where there is no room for all tabs, the current one must be visible. */
const showCurrent = (nav: HTMLElement | null): void => {
  const current = nav?.querySelector('[aria-current=page]')
  if (!nav || !current) return
  const [here, around] = [current.getBoundingClientRect(), nav.getBoundingClientRect()]
  const beyond = here.right - around.right
  const before = here.left - around.left
  if (beyond > 0) nav.scrollLeft += beyond
  // Where text is read from the right, what does not fit is hidden at the left.
  else if (before < 0) nav.scrollLeft += before
}
