import type { ReactNode } from 'react'
import { Stack, Text } from '../../../ui/layout/layout.tsx'
import styles from './year.module.css'

interface PanelProps {
  readonly title: string
  readonly text?: string | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** One thing a year has to tell. */
export const Panel = ({ title, text, className, children }: PanelProps): ReactNode => (
  <Stack as="section" gap={3} className={[styles.panel, className].filter(Boolean).join(' ')}>
    <div>
      <h2 className={styles.title}>{title}</h2>
      {text === undefined ? null : (
        <Text quiet size={13}>
          {text}
        </Text>
      )}
    </div>
    {children}
  </Stack>
)

interface FigurePanelProps {
  readonly title: string
  readonly figure: string
  /** It says that the real figure is larger. */
  readonly before?: string | undefined
  readonly text?: string | undefined
}

/** One large figure. */
export const FigurePanel = ({ title, figure, before, text }: FigurePanelProps): ReactNode => (
  <Stack as="section" gap={1} className={styles.panel}>
    <h2 className={styles.title}>{title}</h2>
    <p className={styles.figure}>
      {before === undefined ? null : <small className={styles.before}>{before} </small>}
      {figure}
    </p>
    {text === undefined || text === '' ? null : <Text quiet>{text}</Text>}
  </Stack>
)
