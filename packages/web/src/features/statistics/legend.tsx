import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../ui/layout/layout.tsx'
import type { Amount } from './figures.ts'
import styles from './statistics.module.css'

/** The legend explains the patterns of the bars that are visible. */
export const Legend = ({ amounts }: { readonly amounts: readonly Amount[] }): ReactNode => {
  const { t } = useTranslation('statistics')
  const kinds = [
    ...(amounts.some(({ estimated }) => estimated > 0) ? (['sure', 'estimated'] as const) : []),
    ...(amounts.some(({ isUnknown }) => isUnknown) ? (['unknown'] as const) : []),
  ]
  if (kinds.length === 0) return null
  return (
    <Row as="ul" gap={4} rowGap={1} align="stretch" wrap className={styles.legend}>
      {kinds.map((kind) => (
        <Row as="li" key={kind} gap={2}>
          <span className={styles.sample} data-kind={kind} aria-hidden="true" />
          {t(`legend.${kind}`)}
        </Row>
      ))}
    </Row>
  )
}
