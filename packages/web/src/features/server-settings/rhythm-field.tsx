import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RhythmFields } from '../../schedules/rhythm-fields.tsx'
import { useRhythmText } from '../../schedules/rhythm-text.ts'
import type { Rhythm } from '../../schedules/rhythm.ts'
import { Row, Text } from '../../ui/layout/layout.tsx'

interface RhythmFieldProps {
  readonly name: string
  /** Empty: never. */
  readonly cron: string
  readonly onChange: (cron: string) => void
}

const kinds = ['never', 'daily', 'weekly', 'custom'] as const
const everyNight: Rhythm = { kind: 'daily', minute: 0, hour: 3 }

/** When something happens by itself, by the clock of the server. */
export const RhythmField = ({ name, cron, onChange }: RhythmFieldProps): ReactNode => {
  const { t } = useTranslation('server-settings')
  const inWords = useRhythmText()
  const names = {
    often: { 'aria-label': name },
    minute: {},
    weekday: { 'aria-label': t('weekdayOf', { name }) },
    time: { 'aria-label': t('timeOf', { name }) },
    cron: { 'aria-label': t('cronOf', { name }) },
  }
  return (
    <Row gap={2} wrap>
      <RhythmFields
        cron={cron === '' ? undefined : cron}
        kinds={kinds.map((value) => ({ value, label: t(`often.${value}`) }))}
        first={everyNight}
        names={names}
        onChange={(next) => onChange(next ?? '')}
      />
      <Text as="span" quiet size={13}>
        {inWords(cron)}
      </Text>
    </Row>
  )
}
