import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './cover-card.module.css'
import { Cover, type CoverProps } from './cover.tsx'

interface CoverCardProps extends Pick<CoverProps, 'src' | 'thumbhash' | 'icon' | 'isFirst'> {
  readonly title: string
  readonly subtitle?: ReactNode
  /** In a corner of the cover: how many are unread, for example. */
  readonly badge?: ReactNode
  /** From 0 to 1: how far it has been read. */
  readonly progress?: number | undefined
  /** Makes the card a link: gets what is shown as its content. */
  readonly renderLink: (content: ReactNode) => ReactNode
  /** Over the cover, beside the link: a menu. */
  readonly actions?: ReactNode
}

/** A cover with its title below it. The whole card leads there, and is one stop for the keyboard. */
export const CoverCard = ({
  title,
  subtitle,
  badge,
  progress,
  renderLink,
  actions,
  ...cover
}: CoverCardProps): ReactNode => (
  <article className={styles.card}>
    {renderLink(
      <>
        <span className={styles.cover}>
          <Cover {...cover} alt="" />
          {badge === undefined ? null : <span className={styles.badge}>{badge}</span>}
          {progress === undefined ? null : <progress className={styles.progress} value={progress} aria-hidden="true" />}
        </span>
        <span className={styles.title}>{title}</span>
        {subtitle === undefined ? null : <span className={styles.subtitle}>{subtitle}</span>}
      </>,
    )}
    {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
  </article>
)

/** In its place while it is on its way; the keyboard may stop at it already. */
export const CoverCardSkeleton = ({ focus }: { readonly focus?: object }): ReactNode => {
  const { t } = useTranslation()
  return (
    <div className={styles.waiting} {...focus} aria-label={t('loading')} role="img">
      <div className={styles.waitingCover} />
      <div className={styles.waitingLine} />
    </div>
  )
}

/** As many cards in a row as fit. For longer lists than a page, use a virtual one. */
export const CoverGrid = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles.grid}>{children}</div>
)
