import { type ComponentType, type MouseEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Emblem } from '../emblem.tsx'
import styles from './frame.module.css'
import { Icon, type IconName } from '../icon.tsx'
import { Columns, Row, Stack } from './layout.tsx'

export interface LinkProps {
  readonly to: string
  readonly 'aria-label'?: string | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** The link component comes from the app's router; what stands here knows no router. */
type NavLink = ComponentType<
  LinkProps & {
    readonly 'aria-current'?: 'page' | undefined
    readonly onClick?: ((event: MouseEvent) => void) | undefined
  }
>

export interface NavItem {
  readonly to: string
  readonly label: string
  readonly icon: IconName
  readonly isCurrent: boolean
  /** It stands instead of the icon: covers, for example. */
  readonly picture?: ReactNode
  /** How much is there. */
  readonly count?: string
  /** Instead of going there, what is there opens over the page. */
  readonly open?: () => void
}

interface FrameProps {
  readonly link: NavLink
  readonly items: readonly NavItem[]
  /** They stand below the items: the libraries. */
  readonly groups?: ReactNode
  /** It stands at the end of the side: whose account this is. */
  readonly foot?: ReactNode
  /** The few that fit into the bar of a phone. */
  readonly phoneItems: readonly NavItem[]
  /** It opens the others there. */
  readonly phoneMore?: ReactNode
  /** It stands at the top of every page: the search. */
  readonly top?: ReactNode
  /** It stands above the page: that the connection is lost, for example. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** It frames a page: navigation at the side, only pictures of it on tablets, and on phones a bar at the bottom. */
export const Frame = (props: FrameProps): ReactNode => {
  const { link: Link, items, groups, foot, phoneItems, phoneMore, top, notice, children } = props
  const { t } = useTranslation()
  const main = useRef<HTMLElement>(null)
  return (
    <Columns className={styles.frame}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {t('skipToContent')}
      </button>
      <Stack as="nav" className={styles.side} aria-label={t('mainNavigation')}>
        <Row as={Link} gap={2} to="/" className={styles.brand} aria-label="Carrel">
          <Emblem />
          <span className={styles.word}>Carrel</span>
        </Row>
        <div className={styles.places}>
          <NavList link={Link} items={items} />
          {groups}
        </div>
        <div className={styles.foot}>{foot}</div>
      </Stack>
      <div className={styles.content}>
        {top === undefined ? null : (
          <Row gap={2} className={styles.top} ref={noteScrolling}>
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
          {phoneItems.map((item) => (
            <NavEntry key={item.to} link={Link} item={item} leadsUp />
          ))}
          {phoneMore === undefined ? null : <li>{phoneMore}</li>}
        </Row>
      </nav>
    </Columns>
  )
}

interface NavGroupProps {
  readonly link: NavLink
  readonly label: string
  /** All that is in the group has a page of its own, to which the heading leads. */
  readonly to?: string | undefined
  /** It stands beside the heading. */
  readonly action?: ReactNode
  readonly items: readonly NavItem[]
  /** Where there is room for pictures alone it is left out. */
  readonly isWide?: boolean
}

/** Places that belong together, under a heading. */
export const NavGroup = ({ link: Link, label, to, action, items, isWide = false }: NavGroupProps): ReactNode => (
  <div className={styles.group} data-is-wide={isWide || undefined}>
    <Row justify="between" className={styles.heading}>
      {to === undefined ? <span>{label}</span> : <Link to={to}>{label}</Link>}
      {action}
    </Row>
    <NavList link={Link} items={items} label={label} />
  </div>
)

interface NavListProps extends Pick<FrameProps, 'link' | 'items'> {
  readonly label?: string
}

const NavList = ({ link, items, label }: NavListProps): ReactNode => (
  <Stack as="ul" gap="hair" aria-label={label}>
    {items.map((item) => (
      <NavEntry key={item.to} link={link} item={item} />
    ))}
  </Stack>
)

interface NavEntryProps extends Pick<FrameProps, 'link'> {
  readonly item: NavItem
  /** Whoever is there already is led to the top of the page. */
  readonly leadsUp?: boolean
}

const NavEntry = ({ link: Link, item, leadsUp = false }: NavEntryProps): ReactNode => {
  const { to, label, icon, picture, count, isCurrent, open } = item
  const press = (event: MouseEvent): void => {
    if (open) {
      event.preventDefault()
      open()
    } else if (leadsUp && isCurrent) goUp(event, to)
  }
  return (
    <li>
      <Row
        as={Link}
        gap={2}
        to={to}
        className={styles.place}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={press}
      >
        {picture ?? <Icon name={icon} />}
        <span className={styles.label}>{label}</span>
        {count === undefined ? null : <span className={styles.count}>{count}</span>}
      </Row>
    </li>
  )
}

interface NavButtonProps {
  readonly label: string
  readonly isCurrent: boolean
  readonly onClick: () => void
  /** Its picture. */
  readonly children: ReactNode
}

/** It stands among the places of a phone, and opens a window instead of a page. */
export const NavButton = ({ label, isCurrent, onClick, children }: NavButtonProps): ReactNode => (
  <Row
    as="button"
    type="button"
    gap={2}
    className={styles.place}
    aria-haspopup="dialog"
    aria-current={isCurrent ? 'page' : undefined}
    onClick={onClick}
  >
    {children}
    <span className={styles.label}>{label}</span>
  </Row>
)

const goUp = (event: MouseEvent, to: string): void => {
  if (!window.location.pathname.endsWith(to)) return
  event.preventDefault()
  window.scrollTo({ top: 0, behavior: 'smooth' })
}

/** So far the page moves before the bar at the top needs a ground of its own. */
const nearTopPixels = 8

/** The bar lies over the top of the page, without a ground, as long as nothing is under it but the page's own top. */
const noteScrolling = (bar: HTMLElement | null): (() => void) | undefined => {
  if (!bar) return undefined
  const note = (): void => void bar.toggleAttribute('data-is-over-page', window.scrollY > nearTopPixels)
  // Where the page stands is asked when it has been laid out: to ask now would have that done twice.
  const frame = requestAnimationFrame(note)
  window.addEventListener('scroll', note, { passive: true })
  return () => {
    cancelAnimationFrame(frame)
    window.removeEventListener('scroll', note)
  }
}
