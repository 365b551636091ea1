import {
  type ComponentType,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactNode,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import styles from './cover-card.module.css'
import { Cover, type CoverProps } from './cover.tsx'
import type { LinkProps } from '../layout/frame.tsx'
import { Center, Grid, Row, Text } from '../layout/layout.tsx'

interface CoverCardProps extends Pick<CoverProps, 'src' | 'thumbhash' | 'icon' | 'isFirst' | 'isPatient'> {
  /** It stands in a chip before the title, whatever is cut off; `isWorded`: the title says it in words. */
  readonly number?: { readonly text: string; readonly isWorded: boolean } | undefined
  readonly title?: string | undefined
  readonly subtitle?: ReactNode
  /** The badge stands in a corner of the cover: how many are unread, for example. */
  readonly badge?: ReactNode
  readonly isDone?: boolean
  /** It is the share that has been read, from 0 to 1. */
  readonly progress?: number | undefined
  /** The address of the card, and the link component of the app's router. */
  readonly to?: string | undefined
  readonly link: ComponentType<LinkProps>
  /** A link that is one of many in a list gets what makes it a stop for the keyboard. */
  readonly focus?: object | undefined
  /** The actions stand over the cover, beside the link: a box to choose it. */
  readonly actions?: ReactNode
  /** They stand over its lower edge while somebody points at the card or has come to it by keyboard. */
  readonly quick?: ReactNode
  /** What opens a menu on it. */
  readonly menu?: HTMLAttributes<HTMLElement> | undefined
}

/** A cover with its title below it. The whole card leads there, and is one stop for the keyboard. */
export const CoverCard = ({ to, link: Link, focus, actions, quick, menu, ...content }: CoverCardProps): ReactNode => {
  const { isNear, ...nearness } = useNearness()
  const isOffering = quick !== undefined && isNear
  return (
    <article className={styles.card} {...menu} {...nearness}>
      {to === undefined ? (
        <div>
          <Content {...content} />
        </div>
      ) : (
        <Link to={to} {...focus}>
          <Content {...content} />
        </Link>
      )}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      {isOffering ? (
        <div className={styles.over}>
          <Row gap={1} className={styles.quick}>
            {quick}
          </Row>
        </div>
      ) : null}
    </article>
  )
}

type ContentProps = Omit<CoverCardProps, 'to' | 'link' | 'focus' | 'actions' | 'quick' | 'menu'>

const Content = ({ number, title, subtitle, badge, isDone, progress, ...cover }: ContentProps): ReactNode => (
  <>
    <span className={styles.cover} data-is-begun={progress !== undefined}>
      <Cover {...cover} alt="" />
      {badge === undefined ? null : (
        <Center as="span" className={styles.badge} data-is-done={isDone}>
          {badge}
        </Center>
      )}
      {progress === undefined ? null : (
        <progress data-bar className={styles.progress} value={progress} aria-hidden="true" />
      )}
    </span>
    <Text as="span" lines={2} className={styles.title}>
      {number === undefined ? null : (
        <>
          <b className={styles.number} aria-hidden={number.isWorded}>
            {number.text}
          </b>{' '}
        </>
      )}
      {title === undefined ? null : <span dir="auto">{title}</span>}
    </Text>
    {subtitle === undefined ? null : (
      <Text as="span" lines={1} quiet className={styles.subtitle}>
        {subtitle}
      </Text>
    )}
  </>
)

/** Whether a mouse is over it, or somebody has come to it or into it by keyboard: fingers have the menu instead. */
const useNearness = () => {
  const [isNear, setNear] = useState(false)
  return {
    isNear,
    onPointerEnter: ({ pointerType }: PointerEvent): void => {
      if (pointerType === 'mouse') setNear(true)
    },
    onPointerLeave: ({ currentTarget }: PointerEvent): void => {
      if (currentTarget.querySelector(':focus-visible') === null) setNear(false)
    },
    onFocus: ({ target }: FocusEvent): void => {
      if (target.matches(':focus-visible')) setNear(true)
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent): void => {
      if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(':hover')) setNear(false)
    },
  }
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
