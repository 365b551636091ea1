import type { LibraryDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { rhythmOf, timeOf, weekdaysIn } from '../../../schedules/rhythm.ts'

/** A schedule as a sentence. */
export const useScheduleText = (): ((schedule: LibraryDto['schedule']) => string) => {
  const { t, i18n } = useTranslation('libraries')
  return (schedule) => {
    if (schedule === null) return t('schedule.words.never')
    const rhythm = rhythmOf(schedule.cron)
    const { timeZone: zone } = schedule
    switch (rhythm.kind) {
      case 'hourly':
        return t('schedule.words.hourly', { count: rhythm.minute })
      case 'daily':
        return t('schedule.words.daily', { time: timeOf(rhythm), zone })
      case 'weekly': {
        const day = weekdaysIn(i18n.resolvedLanguage).find(({ value }) => value === rhythm.weekday)?.name ?? ''
        return t('schedule.words.weekly', { day, time: timeOf(rhythm), zone })
      }
      case 'custom':
        return t('schedule.words.custom', { cron: rhythm.cron, zone })
    }
  }
}
