import type { ReactNode } from 'react'
import { Row, Stack } from './layout.tsx'
import styles from './page.module.css'
import { useHeadingFocus } from './use-heading-focus.ts'

interface PageProps {
  /** The heading, and with the product's name the title of the window. */
  readonly title: string
  /** They stand beside the heading. */
  readonly actions?: ReactNode
  /** A line below it: how many there are, for example. */
  readonly subtitle?: ReactNode
  /** `narrow`: for forms and texts; `wide`: for figures and pictures, which need no more. */
  readonly width?: 'full' | 'wide' | 'narrow'
  readonly children: ReactNode
}

/** One page: a heading that a screen reader begins with, and the content. */
export const Page = ({ title, actions, subtitle, width = 'full', children }: PageProps): ReactNode => {
  const heading = useHeadingFocus()
  return (
    <Stack gap={5} className={styles.page} data-width={width}>
      <title>{`${title} · Carrel`}</title>
      <Header text={subtitle} actions={actions}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
      </Header>
      {children}
    </Stack>
  )
}

interface SectionProps {
  readonly title: string
  readonly text?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A part of a page with a heading of its own. */
export const Section = ({ title, text, actions, children }: SectionProps): ReactNode => (
  <Stack as="section" gap={3} className={styles.section}>
    <Header text={text} actions={actions}>
      <h2 className={styles.sectionTitle}>{title}</h2>
    </Header>
    {children}
  </Stack>
)

const Header = ({ text, actions, children }: Omit<SectionProps, 'title'>): ReactNode => (
  <Row as="header" gap={3} align="start" justify="between" wrap className={styles.header}>
    <div>
      {children}
      {text === undefined ? null : <p className={styles.subtitle}>{text}</p>}
    </div>
    {actions === undefined ? null : (
      <Row gap={2} align="stretch" wrap touch>
        {actions}
      </Row>
    )}
  </Row>
)
