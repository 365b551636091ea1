import type { ReactNode } from 'react'
import { Columns, Row } from '../layout/layout.tsx'
import styles from './details.module.css'

export interface DetailRow {
  readonly label: string
  /** It is empty when it is unknown. */
  readonly value: ReactNode
}

/** Names and values below each other; what is not known is left out. */
export const Details = ({ rows }: { readonly rows: readonly DetailRow[] }): ReactNode => {
  const filledRows = rows.filter(({ value }) => value !== null && value !== undefined && value !== '')
  if (filledRows.length === 0) return null
  return (
    <Columns as="dl" gap={4} rowGap={2} align="baseline" className={styles.details}>
      {filledRows.map(({ label, value }) => (
        <DetailPair key={label} label={label} value={value} />
      ))}
    </Columns>
  )
}

const DetailPair = ({ label, value }: DetailRow): ReactNode => (
  <>
    <dt>{label}</dt>
    <Row as="dd" gap={2} rowGap={1} align="baseline" wrap>
      {value}
    </Row>
  </>
)
