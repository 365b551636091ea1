import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { asKind, cronOf, parseTime, type Rhythm, rhythmOf, timeOf, weekdaysIn } from './rhythm.ts'

type RhythmKind = 'never' | Rhythm['kind']

/** The name stands beside the field, or is only for screen readers where other text shows it already. */
interface FieldName {
  readonly label?: string
  readonly 'aria-label'?: string
  readonly description?: string
}

interface RhythmFieldsProps {
  /** Undefined: never. */
  readonly cron: string | undefined
  readonly kinds: readonly { readonly value: RhythmKind; readonly label: string }[]
  /** This rhythm is proposed when a schedule is switched on for the first time. */
  readonly first: Rhythm
  readonly names: Readonly<Record<'often' | 'minute' | 'weekday' | 'time' | 'cron', FieldName>>
  readonly onChange: (cron: string | undefined) => void
}

/** The form sets a schedule in words rather than in cron. */
export const RhythmFields = ({ cron, kinds, first, names, onChange }: RhythmFieldsProps): ReactNode => {
  const rhythm = cron === undefined ? undefined : sayable(cron, kinds)
  const choose = (word: string): void => {
    const kind = kinds.find(({ value }) => value === word)?.value ?? 'never'
    onChange(kind === 'never' ? undefined : cronOf(asKind(rhythm ?? first, kind)))
  }
  return (
    <>
      <NativeSelect
        {...names.often}
        value={rhythm?.kind ?? 'never'}
        data={kinds}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {rhythm === undefined ? null : (
        <Details rhythm={rhythm} names={names} onChange={(next) => onChange(cronOf(next))} />
      )}
    </>
  )
}

const sayable = (cron: string, kinds: RhythmFieldsProps['kinds']): Rhythm => {
  const rhythm = rhythmOf(cron)
  return kinds.some(({ value }) => value === rhythm.kind) ? rhythm : { kind: 'custom', cron }
}

interface DetailsProps extends Pick<RhythmFieldsProps, 'names'> {
  readonly rhythm: Rhythm
  readonly onChange: (rhythm: Rhythm) => void
}

const Details = ({ rhythm, names, onChange }: DetailsProps): ReactNode => {
  const { i18n } = useTranslation()
  switch (rhythm.kind) {
    case 'hourly':
      return (
        <NumberInput
          {...names.minute}
          min={0}
          max={59}
          clampBehavior="strict"
          allowDecimal={false}
          value={rhythm.minute}
          onChange={(minute) => onChange({ ...rhythm, minute: Number(minute) })}
        />
      )
    case 'custom':
      return (
        <TextInput
          {...names.cron}
          required
          withAsterisk={false}
          maxLength={100}
          spellCheck={false}
          value={rhythm.cron}
          onChange={({ currentTarget }) => onChange({ kind: 'custom', cron: currentTarget.value })}
        />
      )
    case 'weekly':
    case 'daily':
      return (
        <>
          {rhythm.kind === 'weekly' ? (
            <NativeSelect
              {...names.weekday}
              value={String(rhythm.weekday)}
              data={weekdaysIn(i18n.resolvedLanguage).map(({ value, name }) => ({ value: String(value), label: name }))}
              onChange={({ currentTarget }) => onChange({ ...rhythm, weekday: Number(currentTarget.value) })}
            />
          ) : null}
          <TextInput
            {...names.time}
            type="time"
            required
            withAsterisk={false}
            value={timeOf(rhythm)}
            onChange={({ currentTarget }) => onChange({ ...rhythm, ...parseTime(currentTarget.value) })}
          />
        </>
      )
  }
}
