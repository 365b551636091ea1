import type { ReactNode } from 'react'
import type { IconName } from '../icon.tsx'
import { Cover } from './cover.tsx'
import styles from './cover-pair.module.css'

interface CoverPairProps {
  /** One or two; the first stands before the second. */
  readonly covers: readonly { readonly src: string; readonly thumbhash: string | null }[]
  readonly icon: IconName
  /** One of many pairs on a page: their covers come when they are nearly seen. */
  readonly isPatient?: boolean
}

/** It shows somebody by two covers of what they have made, and a list by two of what is in it. */
export const CoverPair = ({ covers, icon, isPatient = false }: CoverPairProps): ReactNode => (
  <span className={styles.pair} data-count={covers.length}>
    {covers.map(({ src, thumbhash }) => (
      <span key={src} className={styles.one}>
        <Cover src={src} thumbhash={thumbhash} alt="" icon={icon} isFirst={!isPatient} isPatient={isPatient} />
      </span>
    ))}
  </span>
)
