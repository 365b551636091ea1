import { useTranslation } from 'react-i18next'
import { rhythmOf, timeOf, weekdaysIn } from './rhythm.ts'

/** It puts a schedule into words; an empty one is never. A pattern that has no words stays as it is. */
export const useRhythmText = (): ((cron: string) => string) => {
  const { t, i18n } = useTranslation()
  return (cron) => {
    if (cron === '') return t('rhythm.never')
    const rhythm = rhythmOf(cron)
    switch (rhythm.kind) {
      case 'hourly':
        return t('rhythm.hourly', { minute: rhythm.minute })
      case 'daily':
        return t('rhythm.daily', { time: timeOf(rhythm) })
      case 'weekly': {
        const day = weekdaysIn(i18n.resolvedLanguage).find(({ value }) => value === rhythm.weekday)?.name
        return t('rhythm.weekly', { day, time: timeOf(rhythm) })
      }
      case 'custom':
        return t('rhythm.custom', { cron })
    }
  }
}
