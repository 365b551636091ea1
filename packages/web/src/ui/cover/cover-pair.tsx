import type { ReactNode } from 'react'
import styles from './cover-pair.module.css'

/** Two covers as small as an icon, one behind the other: they stand for a library beside its name. */
export const CoverPair = ({ covers }: { readonly covers: readonly string[] }): ReactNode => (
  <span className={styles.pair}>
    {covers.map((src) => (
      <img key={src} src={src} alt="" loading="lazy" decoding="async" draggable={false} />
    ))}
  </span>
)
