import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './detail.module.css'
import { Columns, Row, Stack } from './layout/layout.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

interface DetailProps {
  readonly cover: ReactNode
  readonly title: string
  /** The title of the page, when present, says more than the heading. */
  readonly pageTitle?: string
  /** It stands over the title: what the entry belongs to. */
  readonly above?: ReactNode
  /** The lines stand below the title: figures in a line or two. */
  readonly lines: readonly ReactNode[]
  /** The first is what most people came for. */
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** The head of a page about one thing: on a phone, too, all that matters is seen at once. */
export const Detail = ({
  cover,
  title,
  pageTitle = title,
  above,
  lines,
  actions,
  children,
}: DetailProps): ReactNode => {
  const heading = useHeadingFocus()
  return (
    <Columns gap={4} className={styles.detail}>
      <title>{`${pageTitle} · Carrel`}</title>
      <div className={styles.cover}>{cover}</div>
      <Stack as="header" gap={1} className={styles.words}>
        {above === undefined ? null : <p className={styles.above}>{above}</p>}
        <h1 ref={heading} tabIndex={-1} className={styles.title} title={title}>
          <span className={styles.longTitle}>{title}</span>
        </h1>
        {lines.map((line, index) => (
          <p key={index} className={styles.line}>
            {line}
          </p>
        ))}
      </Stack>
      <Stack gap={4} className={styles.rest}>
        <Row gap={2} wrap className={styles.actions}>
          {actions}
        </Row>
        {children}
      </Stack>
    </Columns>
  )
}

/** The length is about four lines of text. */
const longText = 280

/** A long synopsis is shortened; the rest is shown on demand. */
export const Synopsis = ({ text }: { readonly text: string }): ReactNode => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > longText || text.split('\n').length > 4
  return (
    <div>
      <p className={styles.text} data-is-cut={isLong && !isOpen} dir="auto">
        {text}
      </p>
      {isLong ? (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'showLess' : 'showMore')}
        </button>
      ) : null}
    </div>
  )
}

export interface DetailRow {
  readonly label: string
  /** It is empty when it is unknown. */
  readonly value: ReactNode
}

/** Names and values below each other; what is not known is left out. */
export const Details = ({ rows }: { readonly rows: readonly DetailRow[] }): ReactNode => {
  const known = rows.filter(({ value }) => value !== null && value !== undefined && value !== '')
  if (known.length === 0) return null
  return (
    <Columns as="dl" gap={4} rowGap={2} align="baseline" className={styles.details}>
      {known.map(({ label, value }) => (
        <DetailPair key={label} label={label} value={value} />
      ))}
    </Columns>
  )
}

const DetailPair = ({ label, value }: DetailRow): ReactNode => (
  <>
    <dt>{label}</dt>
    <Row as="dd" gap={2} rowGap={1} align="baseline" wrap>
      {value}
    </Row>
  </>
)
