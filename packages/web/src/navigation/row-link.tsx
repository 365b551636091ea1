import type { ComponentProps, ReactNode } from 'react'
import { AppLink } from './link.tsx'
import styles from './row-link.module.css'

/** The whole row leads there; what else is in it lies above. */
export const RowLink = (props: Omit<ComponentProps<typeof AppLink>, 'className'>): ReactNode => (
  <AppLink {...props} className={styles.link} />
)
