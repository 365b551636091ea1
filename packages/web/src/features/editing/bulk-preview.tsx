import type { BulkAccepted } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { Notice } from '../../ui/state/state.tsx'
import styles from './bulk-form.module.css'
import { type EntityKind, entities } from './entities.ts'
import { useFieldText, useValueText } from '../../metadata/value-text.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'

interface BulkPreviewProps {
  readonly kind: EntityKind
  readonly preview: BulkAccepted
}

const samplesMax = 5

/** The preview shows the figures, and the first few entries after the change. */
export const BulkPreview = ({ kind, preview }: BulkPreviewProps): ReactNode => {
  const { t } = useTranslation('editing')
  const { matched, wouldChange = 0, skippedLocked = 0, sample = [] } = preview
  return (
    <div>
      <Notice kind="info">
        {t('bulk.wouldChange', { count: wouldChange, matched })}
        {skippedLocked > 0 ? ` ${t('bulk.locked', { count: skippedLocked })}` : ''}
      </Notice>
      <Stack as="ul" gap={2} className={styles.samples}>
        {sample.slice(0, samplesMax).map((each) => (
          <Sample key={each.id} kind={kind} sample={each} />
        ))}
      </Stack>
    </div>
  )
}

interface SampleProps {
  readonly kind: EntityKind
  readonly sample: NonNullable<BulkAccepted['sample']>[number]
}

const Sample = ({ kind, sample: { id, changes } }: SampleProps): ReactNode => {
  const fieldText = useFieldText()
  const valueText = useValueText()
  const { data } = useLater(entities[kind].readTitle, { params: { id } })
  const nameOf = useItemName()
  return (
    <li className={styles.sample}>
      <bdi>{data === undefined ? '…' : nameOf(data)}</bdi>
      {changes.map(({ field, before, after }) => (
        <Text quiet size={13} key={field} className={styles.change}>
          {fieldText(field)}: <del>{valueText(field, before)}</del> → <ins>{valueText(field, after)}</ins>
        </Text>
      ))}
    </li>
  )
}
