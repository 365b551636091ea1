import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRhythmText } from '../../rhythm-text.ts'
import { asKind, cronOf, parseTime, type Rhythm, rhythmOf, timeOf, weekdaysIn } from '../../rhythm.ts'
import styles from './settings.module.css'

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
  const rhythm = cron === '' ? undefined : rhythmOf(cron)
  const shown = rhythm?.kind === 'hourly' ? { kind: 'custom' as const, cron } : rhythm
  const choose = (word: string): void => {
    const kind = kinds.find((each) => each === word) ?? 'never'
    onChange(kind === 'never' ? '' : cronOf(asKind(shown ?? everyNight, kind)))
  }
  return (
    <div className={styles.rhythm}>
      <NativeSelect
        aria-label={name}
        value={shown?.kind ?? 'never'}
        data={kinds.map((kind) => ({ value: kind, label: t(`often.${kind}`) }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {shown === undefined ? null : <Details name={name} rhythm={shown} onChange={(next) => onChange(cronOf(next))} />}
      <span className={styles.hint}>{inWords(cron)}</span>
    </div>
  )
}

interface DetailsProps {
  readonly name: string
  readonly rhythm: Rhythm
  readonly onChange: (rhythm: Rhythm) => void
}

const Details = ({ name, rhythm, onChange }: DetailsProps): ReactNode => {
  const { t, i18n } = useTranslation('server-settings')
  if (rhythm.kind === 'hourly') return null
  if (rhythm.kind === 'custom') {
    return (
      <TextInput
        aria-label={t('cronOf', { name })}
        required
        maxLength={100}
        spellCheck={false}
        value={rhythm.cron}
        onChange={({ currentTarget }) => onChange({ kind: 'custom', cron: currentTarget.value })}
      />
    )
  }
  return (
    <>
      {rhythm.kind === 'weekly' ? (
        <NativeSelect
          aria-label={t('weekdayOf', { name })}
          value={String(rhythm.weekday)}
          data={weekdaysIn(i18n.resolvedLanguage).map(({ value, name: day }) => ({ value: String(value), label: day }))}
          onChange={({ currentTarget }) => onChange({ ...rhythm, weekday: Number(currentTarget.value) })}
        />
      ) : null}
      <TextInput
        type="time"
        aria-label={t('timeOf', { name })}
        required
        value={timeOf(rhythm)}
        onChange={({ currentTarget }) => onChange({ ...rhythm, ...parseTime(currentTarget.value) })}
      />
    </>
  )
}
