import type { ComponentType, ReactNode } from 'react'
import type { LinkProps } from './frame.tsx'
import { Icon, type IconName } from './icon.tsx'
import styles from './rows.module.css'

interface RowsProps {
  readonly label?: string | undefined
  readonly children: ReactNode
}

/** A short list of things with what can be done to each. */
export const Rows = ({ label, children }: RowsProps): ReactNode => (
  <ul className={styles.rows} aria-label={label}>
    {children}
  </ul>
)

interface RowProps {
  readonly icon: IconName
  readonly title: string
  /** Beside the title: a mark or two. */
  readonly marks?: ReactNode
  readonly hint?: ReactNode
  /** Where the title leads, by the link of the app's router. */
  readonly to?: string
  readonly link?: ComponentType<LinkProps>
  readonly children?: ReactNode
}

export const Row = ({ icon, title, marks, hint, to, link: Link, children }: RowProps): ReactNode => (
  <li className={styles.row}>
    <Icon name={icon} />
    <div className={styles.text}>
      <span className={styles.head}>
        {to === undefined || Link === undefined ? (
          <bdi className={styles.title}>{title}</bdi>
        ) : (
          <Link to={to} className={styles.link}>
            <bdi>{title}</bdi>
          </Link>
        )}
        {marks}
      </span>
      {hint === undefined || hint === '' ? null : <span className={styles.hint}>{hint}</span>}
    </div>
    {children === undefined ? null : <div className={styles.actions}>{children}</div>}
  </li>
)
