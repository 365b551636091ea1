import type { CSSProperties, ReactNode } from 'react'
import { Stack } from '../layout/layout.tsx'
import styles from './work-page.module.css'

interface WorkPageProps {
  /** What the tone of its cover makes of it. */
  readonly className?: string | undefined
  readonly style?: CSSProperties | undefined
  /** It stands at the lower edge of a phone. */
  readonly reach?: ReactNode
  readonly children: ReactNode
}

/** A page about one work, in the colour of its cover. */
export const WorkPage = ({ className = '', style, reach, children }: WorkPageProps): ReactNode => (
  <Stack gap={4} className={`${styles.page} ${className}`} style={style} data-has-reach={Boolean(reach)}>
    {children}
    {reach}
  </Stack>
)
