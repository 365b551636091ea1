import type { ReactNode } from 'react'
import styles from './cover-stack.module.css'

/** Two covers as small as an icon, one behind the other: they stand for a library beside its name. */
export const CoverStack = ({ covers }: { readonly covers: readonly string[] }): ReactNode => (
  <span className={styles.stack}>
    {covers.map((src) => (
      <img key={src} src={src} alt="" loading="lazy" decoding="async" draggable={false} />
    ))}
  </span>
)
