import { bookTypes, type ConditionTarget, fileFormats, readStatuses, seriesStatuses } from '@carrel/api'
import { Autocomplete, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Test } from '../../../text/condition-text.ts'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { Columns } from '../../../ui/layout/layout.tsx'
import { kindOf } from './builder.ts'
import { IdsInput } from './ids-input.tsx'
import { dayOf, instantOf } from './days.ts'
import styles from './test-value.module.css'
import { useSuggestedValues } from './suggested-values.ts'

interface TestValueProps {
  readonly target: ConditionTarget
  readonly field: string
  readonly test: Test
  readonly onChange: (test: Test) => void
}

/** The input depends on the operator: nothing, a word, a number, a day, a range, or a choice of several. */
export const TestValue = (props: TestValueProps): ReactNode => {
  const { target, field, test } = props
  if (['isNull', 'isNotNull', 'isTrue', 'isFalse'].includes(test.operator)) return null
  switch (kindOf(target, field)) {
    case 'text':
      return <TextValue {...props} />
    case 'status':
      return <StatusValue {...props} />
    case 'id':
      return <IdsInput {...props} />
    case 'number':
      return test.operator === 'between' ? <NumberRange {...props} /> : <NumberValue {...props} />
    case 'date':
      return test.operator === 'between' ? <DayRange {...props} /> : <DayValue {...props} />
    case 'flag':
      return null
  }
}

const closedWords: Readonly<Record<string, readonly string[]>> = {
  status: seriesStatuses,
  bookType: bookTypes,
  format: fileFormats,
}

const TextValue = ({ target, field, test, onChange }: TestValueProps): ReactNode => {
  const { t } = useTranslation('search')
  const suggestedValues = useSuggestedValues(target, field)
  return (
    <Autocomplete
      aria-label={t('advanced.value')}
      placeholder={t('advanced.value')}
      maxLength={1000}
      limit={20}
      data={[...new Set([...(closedWords[field] ?? []), ...suggestedValues])]}
      value={typeof test.value === 'string' ? test.value : ''}
      onChange={(value) => onChange({ ...test, value })}
    />
  )
}

const StatusValue = ({ test, onChange }: TestValueProps): ReactNode => {
  const { t } = useTranslation('search')
  return (
    <NativeSelect
      aria-label={t('advanced.value')}
      data={readStatuses.map((status) => ({ value: status, label: t(`advanced.readStatus.${status}`) }))}
      value={typeof test.value === 'string' ? test.value : 'unread'}
      onChange={({ currentTarget }) => onChange({ ...test, value: currentTarget.value })}
    />
  )
}

interface NumberBoxProps {
  readonly label: string
  readonly value: number | null | undefined
  readonly onChange: (value: number | undefined) => void
}

const NumberBox = ({ label, value, onChange }: NumberBoxProps): ReactNode => (
  <NumberField aria-label={label} placeholder={label} hideControls value={value ?? undefined} onChange={onChange} />
)

const NumberValue = ({ test, onChange }: TestValueProps): ReactNode => {
  const { t } = useTranslation('search')
  const { operator, value } = test
  return (
    <NumberBox
      label={t('advanced.value')}
      value={typeof value === 'number' ? value : null}
      onChange={(next) => onChange(next === undefined ? { operator } : { operator, value: next })}
    />
  )
}

const NumberRange = ({ test, onChange }: TestValueProps): ReactNode => {
  const { t } = useTranslation('search')
  return (
    <Columns gap={2} className={styles.range}>
      <NumberBox
        label={t('advanced.from')}
        value={test.min}
        onChange={(min) => onChange({ ...test, min: min ?? null })}
      />
      <NumberBox
        label={t('advanced.to')}
        value={test.max}
        onChange={(max) => onChange({ ...test, max: max ?? null })}
      />
    </Columns>
  )
}

interface DayBoxProps {
  readonly label: string
  readonly value: string | null | undefined
  readonly onChange: (value: string | undefined) => void
}

const DayBox = ({ label, value, onChange }: DayBoxProps): ReactNode => (
  <TextInput
    type="date"
    aria-label={label}
    value={dayOf(value)}
    onChange={({ currentTarget }) => onChange(instantOf(currentTarget.value))}
  />
)

const DayValue = ({ test, onChange }: TestValueProps): ReactNode => {
  const { t } = useTranslation('search')
  const { operator, value } = test
  return (
    <DayBox
      label={t('advanced.value')}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => onChange(next === undefined ? { operator } : { operator, value: next })}
    />
  )
}

const DayRange = ({ test, onChange }: TestValueProps): ReactNode => {
  const { t } = useTranslation('search')
  const { operator, start = null, end = null } = test
  return (
    <Columns gap={2} className={styles.range}>
      <DayBox
        label={t('advanced.from')}
        value={start}
        onChange={(next) => onChange({ operator, start: next ?? null, end })}
      />
      <DayBox
        label={t('advanced.to')}
        value={end}
        onChange={(next) => onChange({ operator, start, end: next ?? null })}
      />
    </Columns>
  )
}
