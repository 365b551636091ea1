import { type ComponentType, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './frame.module.css'
import { Icon, type IconName } from './icon.tsx'

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
  readonly places: readonly NavItem[]
  /** The few that fit into the bar of a phone. */
  readonly phonePlaces: readonly NavItem[]
  /** It stands at the top of every page: the search. */
  readonly top?: ReactNode
  /** It stands above the page: that the connection is lost, for example. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** It frames a page: navigation at the side, on phones at the bottom. */
export const Frame = ({ link: Link, places, phonePlaces, top, notice, children }: FrameProps): ReactNode => {
  const { t } = useTranslation()
  const main = useRef<HTMLElement>(null)
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {t('skipToContent')}
      </button>
      <nav className={styles.side} aria-label={t('mainNavigation')}>
        <Link to="/" className={styles.brand}>
          Carrel
        </Link>
        <PlaceList link={Link} places={places} className={styles.places} />
      </nav>
      <div className={styles.content}>
        {top === undefined ? null : <div className={styles.top}>{top}</div>}
        <main className={styles.main} ref={main} tabIndex={-1} id="main">
          {notice}
          {children}
        </main>
      </div>
      <nav className={styles.bar} aria-label={t('phoneNavigation')}>
        <PlaceList link={Link} places={phonePlaces} className={styles.barPlaces} />
      </nav>
    </div>
  )
}

interface PlaceListProps extends Pick<FrameProps, 'link' | 'places'> {
  readonly className: string | undefined
}

const PlaceList = ({ link: Link, places, className }: PlaceListProps): ReactNode => (
  <ul className={className}>
    {places.map(({ to, label, icon, isCurrent }) => (
      <li key={to}>
        <Link to={to} className={styles.place} aria-current={isCurrent ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{label}</span>
        </Link>
      </li>
    ))}
  </ul>
)
