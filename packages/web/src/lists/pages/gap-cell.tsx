import type { ReactNode } from 'react'
import { Center } from '../../ui/layout/layout.tsx'
import type { ItemFocus } from '../../ui/virtual/virtual-list.tsx'
import type { GapCard } from './gap-cards.ts'
import styles from './gap-cell.module.css'

/** The place of a book that is not there; the keyboard passes over it as over a book. */
export const GapCell = ({ gap, focus }: { readonly gap: GapCard; readonly focus: ItemFocus }): ReactNode => (
  <div {...focus} role="img" aria-label={gap.label}>
    <Center className={styles.gap}>
      <span className={styles.number}>{gap.number}</span>
    </Center>
    <div className={styles.label}>{gap.label}</div>
  </div>
)
