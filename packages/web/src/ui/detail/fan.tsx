import type { ReactNode } from 'react'
import { Cover } from '../cover/cover.tsx'
import { Row } from '../layout/layout.tsx'
import styles from './fan.module.css'

export interface FanCover {
  readonly id: string
  readonly src: string
  readonly thumbhash: string | null
}

const fanMax = 4

/** The first few covers of many, held like cards. */
export const Fan = ({
  covers,
  icon,
}: {
  readonly covers: readonly FanCover[]
  readonly icon: 'list' | 'series'
}): ReactNode => (
  <Row className={styles.fan} aria-hidden="true">
    {covers.length === 0 ? (
      <div className={styles.card}>
        <Cover src={null} alt="" icon={icon} />
      </div>
    ) : (
      covers.slice(0, fanMax).map(({ id, src, thumbhash }) => (
        <div key={id} className={styles.card}>
          <Cover src={src} thumbhash={thumbhash} alt="" isFirst />
        </div>
      ))
    )}
  </Row>
)
