import type { ReactNode } from 'react'
import { Backdrop, onBackdrop } from '../cover/backdrop.tsx'
import { Columns, Row, Stack, Text } from '../layout/layout.tsx'
import { useHeadingFocus } from '../layout/use-heading-focus.ts'
import styles from './work-head.module.css'

interface WorkHeadProps {
  /** How large the picture is: of a series, of a book that stands alone, or a few small ones of a list. */
  readonly kind: 'series' | 'book' | 'list'
  readonly cover: ReactNode
  /** The thumbhash of the same cover is the ground behind all of it. */
  readonly thumbhash: string | null | undefined
  /** It stands over the title: where it belongs, and what is to be known before anything else. */
  readonly above?: ReactNode
  readonly title: string
  /** The title, where a part of it leads somewhere. */
  readonly heading?: ReactNode
  /** The title of the page, when present, says more than the heading. */
  readonly pageTitle?: string
  /** Facts on one line below the title, without names of what they are; what is not known is left out. */
  readonly facts: readonly ReactNode[]
  /** The first is what most people came for; on a phone it stands at the lower edge of the window instead. */
  readonly actions?: ReactNode
  /** Summary and what follows it. */
  readonly children?: ReactNode
  /** It stands at the end where there is room: how the user is with it. */
  readonly side?: ReactNode
}

/** From this length on a title is set smaller, or it would fill the head. */
const longTitle = 34

/** The head of a page about one work, on the colours of its cover. */
export const WorkHead = ({
  kind,
  cover,
  thumbhash,
  above,
  title,
  heading = title,
  pageTitle = title,
  facts,
  actions,
  children,
  side,
}: WorkHeadProps): ReactNode => {
  const focused = useHeadingFocus()
  return (
    <header className={`${styles.hero ?? ''} ${onBackdrop}`}>
      <title>{`${pageTitle} · Carrel`}</title>
      <Backdrop thumbhash={thumbhash} />
      <Columns gap={4} rowGap={0} className={styles.about} data-kind={kind} data-has-side={side !== undefined}>
        <div className={styles.cover}>{cover}</div>
        <Stack gap={2} className={styles.head}>
          {above === undefined ? null : (
            <Row gap={2} rowGap={1} wrap className={styles.above}>
              {above}
            </Row>
          )}
          <h1
            ref={focused}
            tabIndex={-1}
            className={styles.title}
            title={title}
            data-is-long={title.length > longTitle}
            dir="auto"
          >
            <Text as="span" lines={3}>
              {heading}
            </Text>
          </h1>
          <Facts facts={facts} />
        </Stack>
        {actions === undefined ? null : (
          <Row gap={2} wrap className={styles.actions}>
            {actions}
          </Row>
        )}
        {children === undefined ? null : (
          <Stack gap={3} className={styles.rest}>
            {children}
          </Stack>
        )}
        {side === undefined ? null : <div className={styles.side}>{side}</div>}
      </Columns>
    </header>
  )
}

const Facts = ({ facts }: Pick<WorkHeadProps, 'facts'>): ReactNode => {
  const filledFacts = facts.filter((fact) => fact !== undefined && fact !== null && fact !== '')
  if (filledFacts.length === 0) return null
  return (
    <Row wrap className={styles.facts}>
      {filledFacts.map((fact, index) => (
        <span key={index}>{fact}</span>
      ))}
    </Row>
  )
}

/** A word in a round frame: what kind of thing it is. */
export const Badge = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <span className={styles.badge}>{children}</span>
)
