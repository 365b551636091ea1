import type { LibraryDto } from '@carrel/api'
import { NativeSelect, NumberInput, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { asKind, cronOf, parseTime, type Rhythm, rhythmOf, timeOf, weekdaysIn } from '../../../rhythm.ts'
import styles from './settings-page.module.css'
import { useScheduleText } from './schedule-text.ts'

type Schedule = LibraryDto['schedule']

interface ScheduleFieldProps {
  readonly schedule: Schedule
  readonly onChange: (schedule: Schedule) => void
}

const kinds = ['never', 'hourly', 'daily', 'weekly', 'custom'] as const
const zones = Intl.supportedValuesOf('timeZone')
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** When a library is looked through by itself, in words rather than in cron. */
export const ScheduleField = ({ schedule, onChange }: ScheduleFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const inWords = useScheduleText()
  const rhythm = schedule === null ? undefined : rhythmOf(schedule.cron)
  const timeZone = schedule?.timeZone ?? ownZone
  const set = (next: Rhythm): void => onChange({ cron: cronOf(next), timeZone })
  const choose = (word: string): void => {
    const kind = kinds.find((each) => each === word) ?? 'never'
    if (kind === 'never') onChange(null)
    else set(asKind(rhythm ?? { kind: 'daily', minute: 0, hour: 4 }, kind))
  }
  return (
    <fieldset className={styles.group}>
      <legend>{t('schedule.title')}</legend>
      <div className={styles.inRow}>
        <NativeSelect
          label={t('schedule.often')}
          value={rhythm?.kind ?? 'never'}
          data={kinds.map((value) => ({ value, label: t(`schedule.kind.${value}`) }))}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {rhythm === undefined ? null : <Details rhythm={rhythm} onChange={set} />}
        {rhythm === undefined || rhythm.kind === 'hourly' ? null : (
          <Select
            label={t('schedule.zone')}
            searchable
            allowDeselect={false}
            limit={100}
            value={timeZone}
            data={zones.includes(timeZone) ? zones : [timeZone, ...zones]}
            onChange={(zone) => onChange({ cron: cronOf(rhythm), timeZone: zone ?? timeZone })}
          />
        )}
      </div>
      <p className={styles.hint} role="status">
        {inWords(schedule)}
      </p>
    </fieldset>
  )
}

interface DetailsProps {
  readonly rhythm: Rhythm
  readonly onChange: (rhythm: Rhythm) => void
}

const Details = ({ rhythm, onChange }: DetailsProps): ReactNode => {
  const { t, i18n } = useTranslation('libraries')
  switch (rhythm.kind) {
    case 'hourly':
      return (
        <NumberInput
          label={t('schedule.minute')}
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
          label={t('schedule.cron')}
          description={t('schedule.cronText')}
          required
          withAsterisk={false}
          maxLength={100}
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
              label={t('schedule.weekday')}
              value={String(rhythm.weekday)}
              data={weekdaysIn(i18n.resolvedLanguage).map(({ value, name }) => ({ value: String(value), label: name }))}
              onChange={({ currentTarget }) => onChange({ ...rhythm, weekday: Number(currentTarget.value) })}
            />
          ) : null}
          <TextInput
            type="time"
            label={t('schedule.time')}
            required
            withAsterisk={false}
            value={timeOf(rhythm)}
            onChange={({ currentTarget }) => onChange({ ...rhythm, ...parseTime(currentTarget.value) })}
          />
        </>
      )
  }
}
