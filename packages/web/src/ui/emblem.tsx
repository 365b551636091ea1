import type { ReactNode } from 'react'
import { alcove, readerInAlcove } from './emblem-shapes.ts'
import styles from './emblem.module.css'

/** The mark of the app: a reader in an alcove. It stands beside the word, and says nothing to a screen reader. */
export const Emblem = (): ReactNode => (
  <svg className={styles.emblem} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d={alcove} />
    <path d={readerInAlcove} />
  </svg>
)
