import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './cover-card.module.css'
import { Cover, type CoverProps } from './cover.tsx'
import type { LinkProps } from '../layout/frame.tsx'
import { Grid, Text } from '../layout/layout.tsx'

interface CoverCardProps extends Pick<CoverProps, 'src' | 'thumbhash' | 'icon' | 'isFirst' | 'isPatient'> {
  readonly title: string
  readonly subtitle?: ReactNode
  /** The badge stands in a corner of the cover: how many are unread, for example. */
  readonly badge?: ReactNode
  /** It is the share that has been read, from 0 to 1. */
  readonly progress?: number | undefined
  /** The address of the card, and the link component of the app's router. */
  readonly to?: string | undefined
  readonly link: ComponentType<LinkProps>
  /** A link that is one of many in a list gets what makes it a stop for the keyboard. */
  readonly focus?: object | undefined
  /** The actions stand over the cover, beside the link: a menu. */
  readonly actions?: ReactNode
}

/** A cover with its title below it. The whole card leads there, and is one stop for the keyboard. */
export const CoverCard = (props: CoverCardProps): ReactNode => {
  const { title, subtitle, badge, progress, to, link: Link, focus, actions, ...cover } = props
  const content = (
    <>
      <span className={styles.cover}>
        <Cover {...cover} alt="" />
        {badge === undefined ? null : <span className={styles.badge}>{badge}</span>}
        {progress === undefined ? null : <progress className={styles.progress} value={progress} aria-hidden="true" />}
      </span>
      <Text as="span" lines={2} size={14} className={styles.title}>
        {title}
      </Text>
      {subtitle === undefined ? null : (
        <Text as="span" lines={1} quiet size={13}>
          {subtitle}
        </Text>
      )}
    </>
  )
  return (
    <article className={styles.card}>
      {to === undefined ? (
        <div>{content}</div>
      ) : (
        <Link to={to} {...focus}>
          {content}
        </Link>
      )}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </article>
  )
}

/** The skeleton takes the place of a card that is loading; the keyboard may stop at it already. */
export const CoverCardSkeleton = ({ focus }: { readonly focus?: object }): ReactNode => {
  const { t } = useTranslation()
  return (
    <div {...focus} aria-label={t('loading')} role="img">
      <div className={styles.waitingCover} />
      <div className={styles.waitingLine} />
    </div>
  )
}

/** The grid puts as many cards in a row as fit. A list longer than a page uses a virtual one. */
export const CoverGrid = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Grid gap={4} rowGap={5} min="cover">
    {children}
  </Grid>
)
