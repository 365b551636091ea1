import type { ComponentType, CSSProperties, HTMLAttributes, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LinkProps } from '../layout/frame.tsx'
import { Row, Stack, Text } from '../layout/layout.tsx'
import { Cover, type CoverProps } from './cover.tsx'
import styles from './fan-card.module.css'

interface FanCover extends Pick<CoverProps, 'src' | 'thumbhash'> {
  readonly key: string
}

interface FanCardProps extends Pick<CoverProps, 'icon'> {
  /** At most four, the first in front; where there is none, the icon stands for them. */
  readonly covers: readonly FanCover[]
  readonly name: string
  /** How much is in it. */
  readonly text: ReactNode
  readonly to: string
  /** The link component of the app's router. */
  readonly link: ComponentType<LinkProps>
  /** A card that is one of many in a list gets what makes it a stop for the keyboard. */
  readonly focus?: object | undefined
  /** They stand over the covers, beside the link: a menu. */
  readonly actions?: ReactNode
  /** What opens a menu on it. */
  readonly menu?: HTMLAttributes<HTMLElement> | undefined
  /** It is the share that has been read, from 0 to 1; the text says it in words. */
  readonly progress?: number | undefined
  /** What `toned` says of the first cover. */
  readonly tone?: { readonly className: string | undefined; readonly style: CSSProperties | undefined }
}

/** What holds many covers, such as a library, by a fan of them on the colour of the first. */
export const FanCard = ({
  covers,
  icon = 'book',
  name,
  text,
  to,
  link: Link,
  focus,
  actions,
  menu,
  progress,
  tone,
}: FanCardProps): ReactNode => (
  <article className={[styles.card, tone?.className].filter(Boolean).join(' ')} style={tone?.style} {...menu}>
    <Link to={to} className={styles.link} {...focus}>
      <Row as="span" align="start" className={styles.fan}>
        {covers.length === 0 ? (
          <span className={styles.cover}>
            <Cover src={null} icon={icon} alt="" />
          </span>
        ) : (
          covers.map(({ key, ...cover }) => (
            <span key={key} className={styles.cover}>
              <Cover {...cover} alt="" />
            </span>
          ))
        )}
      </Row>
      <span className={styles.words}>
        <Text as="span" lines={1} className={styles.name} dir="auto">
          {name}
        </Text>
        <Text as="span" lines={2} className={styles.text}>
          {text}
        </Text>
      </span>
      {progress === undefined ? null : <progress className={styles.progress} value={progress} aria-hidden="true" />}
    </Link>
    {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
  </article>
)

/** It takes the place of such a card that is loading; the keyboard may stop at it already. */
export const FanCardSkeleton = ({ focus }: { readonly focus?: object }): ReactNode => {
  const { t } = useTranslation()
  return <div {...focus} className={styles.coming} aria-label={t('loading')} role="img" />
}

/** It stands last among such cards, and makes another. */
export const NewCard = ({
  label,
  to,
  link: Link,
  icon = 'book',
}: Pick<FanCardProps, 'to' | 'link'> & { readonly label: string; readonly icon: ReactNode }): ReactNode => (
  <Stack as={Link} gap={1} align="center" to={to} className={styles.another}>
    {icon}
    {label}
  </Stack>
)
