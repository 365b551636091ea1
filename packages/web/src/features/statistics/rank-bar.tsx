import type { ReactNode } from 'react'
import { Row } from '../../ui/layout/layout.tsx'
import type { Amount } from './figures.ts'
import styles from './rank-bar.module.css'

/** How much of the largest one of a list is, in the colour of the work where it has one. */
export const RankBar = ({ amount, largest }: { readonly amount: Amount; readonly largest: number }): ReactNode => {
  const share = (value: number): string => `${(value / largest) * 100}%`
  const { sure, estimated, isUnknown } = amount
  return (
    <Row align="stretch" className={styles.bar} aria-hidden="true">
      {sure > 0 ? <span className={styles.sure} style={{ width: share(sure) }} /> : null}
      {estimated > 0 ? <span className={styles.estimated} style={{ width: share(estimated) }} /> : null}
      {isUnknown ? <span className={styles.unknown} /> : null}
    </Row>
  )
}
