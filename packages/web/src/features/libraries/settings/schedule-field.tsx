import type { LibraryDto } from '@carrel/api'
import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RhythmFields } from '../../../schedules/rhythm-fields.tsx'
import { type Rhythm, rhythmOf } from '../../../schedules/rhythm.ts'
import { Grid, Stack, Text } from '../../../ui/layout/layout.tsx'
import styles from './settings-page.module.css'
import { useScheduleText } from './schedule-text.ts'

type Schedule = LibraryDto['schedule']

interface ScheduleFieldProps {
  readonly schedule: Schedule
  readonly onChange: (schedule: Schedule) => void
}

const kinds = ['never', 'hourly', 'daily', 'weekly', 'custom'] as const
const everyNight: Rhythm = { kind: 'daily', minute: 0, hour: 4 }
const zones = Intl.supportedValuesOf('timeZone')
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** When a library is scanned by itself, by the clock of its zone. */
export const ScheduleField = ({ schedule, onChange }: ScheduleFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const inWords = useScheduleText()
  const timeZone = schedule?.timeZone ?? ownZone
  const names = {
    often: { label: t('schedule.often') },
    minute: { label: t('schedule.minute') },
    weekday: { label: t('schedule.weekday') },
    time: { label: t('schedule.time') },
    cron: { label: t('schedule.cron'), description: t('schedule.cronText') },
  }
  return (
    <Stack as="fieldset" gap={3} className={styles.group}>
      <legend>{t('schedule.title')}</legend>
      <Grid gap={3} min={13} stretch align="end">
        <RhythmFields
          cron={schedule?.cron}
          kinds={kinds.map((value) => ({ value, label: t(`schedule.kind.${value}`) }))}
          first={everyNight}
          names={names}
          onChange={(cron) => onChange(cron === undefined ? null : { cron, timeZone })}
        />
        {schedule === null || rhythmOf(schedule.cron).kind === 'hourly' ? null : (
          <Select
            label={t('schedule.zone')}
            searchable
            allowDeselect={false}
            limit={100}
            value={timeZone}
            data={zones.includes(timeZone) ? zones : [timeZone, ...zones]}
            onChange={(zone) => onChange({ cron: schedule.cron, timeZone: zone ?? timeZone })}
          />
        )}
      </Grid>
      <Text quiet size={14} role="status">
        {inWords(schedule)}
      </Text>
    </Stack>
  )
}
