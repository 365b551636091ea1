import type { ReactNode } from 'react'
import styles from './mark.module.css'

interface MarkProps {
  readonly kind: 'plain' | 'good' | 'busy' | 'warning' | 'danger'
  readonly children: ReactNode
}

/** It shows a state in a word. */
export const Mark = ({ kind, children }: MarkProps): ReactNode => (
  <span className={styles.mark} data-kind={kind}>
    {children}
  </span>
)
