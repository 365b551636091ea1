import type { ReactNode } from 'react'
import { Emblem } from '../emblem.tsx'
import { Center, Row, Stack, Text } from './layout.tsx'
import styles from './narrow-page.module.css'
import { useHeadingFocus } from './use-heading-focus.ts'

interface NarrowPageProps {
  readonly title: string
  readonly text?: ReactNode
  readonly width?: 'small' | 'large'
  /** Where there is room it has the other half of the screen. */
  readonly drawing?: ReactNode
  readonly children: ReactNode
}

/** A page that stands before the app, without anything around it: sign-in, setup. */
export const NarrowPage = ({ title, text, width = 'small', drawing, children }: NarrowPageProps): ReactNode => (
  <Stack as="main" align="center" className={styles.narrowPage} data-has-drawing={drawing !== undefined}>
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
    {drawing === undefined ? null : <Center className={styles.drawing}>{drawing}</Center>}
  </Stack>
)
