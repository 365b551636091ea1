import type { SettingDto, SettingValue } from '@carrel/api'
import { NativeSelect, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { RhythmField } from './rhythm-field.tsx'
import { isSchedule, isTemplate } from './setting-text.ts'
import styles from './settings.module.css'

interface SettingControlProps {
  readonly setting: SettingDto
  readonly name: string
  readonly value: SettingValue
  readonly onChange: (value: SettingValue) => void
}

const narrowSpace = '\u202F'

/** The control that suits what the setting takes. */
export const SettingControl = ({ setting, name, value, onChange }: SettingControlProps): ReactNode => {
  const { key, minimum, maximum, allowed, valueType } = setting
  if (valueType === 'integer' || valueType === 'number') {
    return (
      <NumberInput
        aria-label={name}
        className={styles.short ?? ''}
        required
        {...(minimum !== null && { min: minimum })}
        {...(maximum !== null && { max: maximum })}
        allowDecimal={valueType !== 'integer'}
        clampBehavior="none"
        thousandSeparator={narrowSpace}
        value={typeof value === 'number' ? value : ''}
        onChange={onChange}
      />
    )
  }
  if (typeof value === 'boolean' || typeof value === 'number') return null
  if (typeof value !== 'string') {
    return <TagsInput aria-label={name} value={value} maxLength={214} acceptValueOnBlur onChange={onChange} />
  }
  if (allowed !== null) {
    return (
      <NativeSelect
        aria-label={name}
        className={styles.short ?? ''}
        value={value}
        data={allowed}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  if (isSchedule(key)) return <RhythmField name={name} cron={value} onChange={onChange} />
  const text = {
    'aria-label': name,
    value,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  }
  return isTemplate(key) ? (
    <Textarea {...text} autosize minRows={2} maxRows={12} maxLength={10_000} spellCheck={false} />
  ) : (
    <TextInput {...text} className={styles.short ?? ''} maxLength={1000} spellCheck={false} />
  )
}
