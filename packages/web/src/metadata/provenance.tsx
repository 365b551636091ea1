import { type MetadataSources, readBookMetadataSources, readSeriesMetadataSources } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../api/queries.ts'
import { useTimeText } from '../text/time-text.ts'
import { Details } from '../ui/detail/details.tsx'
import { Icon } from '../ui/icon.tsx'
import { Row, Text } from '../ui/layout/layout.tsx'
import { useFieldText } from './value-text.ts'
import { useSourceText } from './source-text.ts'

interface ProvenanceProps {
  readonly kind: 'series' | 'book'
  readonly id: string
}

type OfField = MetadataSources['fields'][string]

/** It says of each field that has a value whose word it is, and whether it is locked. */
export const Provenance = ({ kind, id }: ProvenanceProps): ReactNode => {
  const { t } = useTranslation('metadata')
  const fieldText = useFieldText()
  const { data } = useLater(kind === 'series' ? readSeriesMetadataSources : readBookMetadataSources, {
    params: { id },
  })
  if (!data) return null
  const fields = Object.entries(data.fields).filter(([, { shown, locked }]) => shown !== null || locked)
  if (fields.length === 0) return <Text quiet>{t('nobodySays')}</Text>
  return <Details rows={fields.map(([name, field]) => ({ label: fieldText(name), value: <Source field={field} /> }))} />
}

const Source = ({ field: { shown, locked, values } }: { readonly field: OfField }): ReactNode => {
  const { t } = useTranslation('metadata')
  const sourceText = useSourceText()
  const { day } = useTimeText()
  const value = values.find(({ source }) => source === shown)
  const details = [
    value?.books !== undefined && value.of !== undefined
      ? t('saidByBooks', { count: value.books, of: value.of })
      : undefined,
    value?.summaryFrom == null ? undefined : t('summaryFrom', { number: value.summaryFrom }),
    value?.by == null ? undefined : value.by.username,
    value?.by == null ? undefined : day(value.at),
  ].filter((part) => part !== undefined)
  return (
    <Row as="span" inline gap={2} rowGap={0} wrap>
      <span>{shown === null ? t('nobodySays') : sourceText(shown)}</span>
      {details.length === 0 ? null : (
        <Text as="span" quiet size={13} dir="auto">
          {details.join(' · ')}
        </Text>
      )}
      {locked ? (
        <Row as="span" inline gap={1}>
          <Icon name="lock" size="small" />
          <Text as="span" size={13}>
            {t('locked')}
          </Text>
        </Row>
      ) : null}
    </Row>
  )
}
