import type { ReactNode } from 'react'
import styles from './detail-head.module.css'
import { Columns, Row, Stack, Text } from '../layout/layout.tsx'
import { useHeadingFocus } from '../layout/use-heading-focus.ts'

interface DetailHeadProps {
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
export const DetailHead = ({
  cover,
  title,
  pageTitle = title,
  above,
  lines,
  actions,
  children,
}: DetailHeadProps): ReactNode => {
  const heading = useHeadingFocus()
  return (
    <Columns gap={4} className={styles.detail}>
      <title>{`${pageTitle} · Carrel`}</title>
      <div className={styles.cover}>{cover}</div>
      <Stack as="header" gap={1} className={styles.words}>
        {above === undefined ? null : <Text className={styles.above}>{above}</Text>}
        <h1 ref={heading} tabIndex={-1} className={styles.title} title={title}>
          <Text as="span" lines={6}>
            {title}
          </Text>
        </h1>
        {lines.map((line, index) => (
          <Text quiet key={index}>
            {line}
          </Text>
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
