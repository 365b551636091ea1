import type { CSSProperties, ReactNode } from 'react'
import { Cover } from '../cover/cover.tsx'
import { Row } from '../layout/layout.tsx'
import styles from './fan.module.css'

export interface FanCover {
  readonly id: string
  readonly src: string
  readonly thumbhash: string | null
}

export const fanMax = 4

interface FanProps {
  readonly covers: readonly FanCover[]
  readonly icon: 'list' | 'series'
  /** How many there are of it: there is room for them before their covers are known. */
  readonly count?: number | undefined
}

/** The first few covers of many, held like cards. */
export const Fan = ({ covers, icon, count = covers.length }: FanProps): ReactNode => (
  <Row
    className={styles.fan}
    aria-hidden="true"
    style={{ '--cards': Math.min(fanMax, Math.max(1, count)) } as CSSProperties}
  >
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
