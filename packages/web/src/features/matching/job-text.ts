import type { LibraryJob, PluginAction, RefreshConfig } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useFieldText } from '../../metadata/value-text.ts'
import { rhythmOf } from '../../schedules/rhythm.ts'
import { useRhythmText } from '../../schedules/rhythm-text.ts'
import { useTimeText } from '../../text/time-text.ts'

/** A job in sentences. */
export const useJobText = () => {
  const { t } = useTranslation('matching')
  const fieldText = useFieldText()
  const rhythmText = useRhythmText()
  const { ago } = useTimeText()
  return {
    when: ({ cronSchedule, timezone }: Pick<LibraryJob, 'cronSchedule' | 'timezone'>): string => {
      const words = rhythmText(cronSchedule)
      return rhythmOf(cronSchedule).kind === 'hourly' ? words : `${words} (${timezone ?? 'UTC'})`
    },
    what: ({ scope, fieldGroups, extraFields }: RefreshConfig): string => {
      const names = [...fieldGroups.map((group) => t(`group.${group}`)), ...extraFields.map(fieldText)]
      return `${t(`scope.${scope}`)}: ${names.length === 0 ? t('jobs.everything') : names.join(', ')}`
    },
    who: ({ pluginId }: LibraryJob, providers: readonly PluginAction[]): string =>
      providers.find((each) => each.pluginId === pluginId)?.pluginDisplayName ?? t('jobs.pluginAway'),
    last: ({ lastRunAt, lastRunStatus, lastRunMessage }: LibraryJob): string => {
      if (lastRunAt === null) return t('jobs.neverRun')
      if (lastRunStatus === 'failed') return t('jobs.lastFailed', { when: ago(lastRunAt), why: lastRunMessage ?? '' })
      const [, askedAbout, changed] = /^(\d+) asked about, (\d+) changed\.$/.exec(lastRunMessage ?? '') ?? []
      return askedAbout === undefined || changed === undefined
        ? t('jobs.lastRun', { when: ago(lastRunAt) })
        : t('jobs.lastFigures', { when: ago(lastRunAt), asked: askedAbout, changed })
    },
  }
}
