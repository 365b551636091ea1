import type { ReactNode } from 'react'
import styles from './meter.module.css'

interface MeterProps {
  /** A screen reader says what is in progress. */
  readonly label: string
  readonly done: number
  /** Undefined, or 0: nobody knows how much there is. */
  readonly total?: number | undefined
}

export const Meter = ({ label, done, total }: MeterProps): ReactNode =>
  total === undefined || total === 0 ? (
    <progress className={styles.meter} aria-label={label} />
  ) : (
    <progress className={styles.meter} aria-label={label} value={Math.min(done, total)} max={total} />
  )
