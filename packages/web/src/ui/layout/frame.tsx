import { type ComponentType, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './frame.module.css'
import { Icon, type IconName } from '../icon.tsx'
import { Columns, Row, Stack } from './layout.tsx'

export interface LinkProps {
  readonly to: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

export interface NavItem {
  readonly to: string
  readonly label: string
  readonly icon: IconName
  readonly isCurrent: boolean
}

interface FrameProps {
  /** The link component comes from the app's router; the frame knows no router. */
  readonly link: ComponentType<LinkProps & { readonly 'aria-current'?: 'page' | undefined }>
  readonly items: readonly NavItem[]
  /** The few that fit into the bar of a phone. */
  readonly phoneItems: readonly NavItem[]
  /** It stands at the top of every page: the search. */
  readonly top?: ReactNode
  /** It stands above the page: that the connection is lost, for example. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** It frames a page: navigation at the side, on phones at the bottom. */
export const Frame = ({ link: Link, items, phoneItems, top, notice, children }: FrameProps): ReactNode => {
  const { t } = useTranslation()
  const main = useRef<HTMLElement>(null)
  return (
    <Columns className={styles.frame}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {t('skipToContent')}
      </button>
      <Stack as="nav" gap={4} className={styles.side} aria-label={t('mainNavigation')}>
        <Link to="/" className={styles.brand}>
          Carrel
        </Link>
        <Stack as="ul" gap="hair">
          <NavItems link={Link} items={items} />
        </Stack>
      </Stack>
      <div className={styles.content}>
        {top === undefined ? null : (
          <Row gap={3} align="stretch" className={styles.top}>
            {top}
          </Row>
        )}
        <main className={styles.main} ref={main} tabIndex={-1} id="main">
          {notice}
          {children}
        </main>
      </div>
      <nav className={styles.bar} aria-label={t('phoneNavigation')}>
        <Row as="ul" align="stretch">
          <NavItems link={Link} items={phoneItems} />
        </Row>
      </nav>
    </Columns>
  )
}

const NavItems = ({ link: Link, items }: Pick<FrameProps, 'link' | 'items'>): ReactNode =>
  items.map(({ to, label, icon, isCurrent }) => (
    <li key={to}>
      <Row as={Link} gap={3} to={to} className={styles.place} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} />
        <span>{label}</span>
      </Row>
    </li>
  ))
