import type { ReactNode } from 'react'
import { Emblem } from '../emblem.tsx'
import { Row, Stack, Text } from './layout.tsx'
import styles from './narrow-page.module.css'
import { useHeadingFocus } from './use-heading-focus.ts'

interface NarrowPageProps {
  readonly title: string
  readonly text?: ReactNode
  readonly width?: 'small' | 'large'
  readonly children: ReactNode
}

/** A page that stands before the app, without anything around it: sign-in, setup. */
export const NarrowPage = ({ title, text, width = 'small', children }: NarrowPageProps): ReactNode => (
  <Stack as="main" align="center" className={styles.narrowPage}>
    <title>{`${title} · Carrel`}</title>
    <Stack gap={4} className={styles.sheet} data-width={width}>
      <Row as="p" gap={2} className={styles.brand}>
        <Emblem />
        Carrel
      </Row>
      <h1 ref={useHeadingFocus()} tabIndex={-1} className={styles.title}>
        {title}
      </h1>
      {text === undefined ? null : <Text quiet>{text}</Text>}
      {children}
    </Stack>
  </Stack>
)
