import type { ReactNode } from 'react'
import styles from './emblem.module.css'

/** The mark of the app: a reader in an alcove. It stands beside the word, and says nothing to a screen reader. */
export const Emblem = (): ReactNode => (
  <svg className={styles.emblem} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d="M4 29.5V14a12 12 0 0 1 24 0v15.5z" />
    <circle cx="16" cy="10.6" r="2.9" />
    <path d="M16 25.4c-2-1.7-4.6-2.3-7.6-2.3v-7.4c3 0 5.6.6 7.6 2.3 2-1.7 4.6-2.3 7.6-2.3v7.4c-3 0-5.6.6-7.6 2.3z" />
  </svg>
)
