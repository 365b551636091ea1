import { listLibraries } from '@carrel/api'
import { Checkbox, NumberInput, Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { every } from './every.ts'
import styles from './users.module.css'

/** The rules that users and groups have alike. */
export interface Rules {
  readonly libraries: 'all' | readonly string[]
  readonly ageCeiling: number | null
  readonly includeUnrated: boolean
}

interface RulesFieldsProps {
  readonly rules: Rules
  readonly onChange: (rules: Partial<Rules>) => void
  /** The text says what a user sees when no library is chosen. */
  readonly emptyText: string
}

export const RulesFields = (props: RulesFieldsProps): ReactNode => (
  <>
    <LibrariesField {...props} />
    <AgeField {...props} />
  </>
)

const LibrariesField = ({ rules: { libraries }, onChange, emptyText }: RulesFieldsProps): ReactNode => {
  const { t } = useTranslation('users')
  const { data } = useRead(listLibraries, every)
  const chosen = libraries === 'all' ? [] : libraries
  const hidden = chosen.filter((id) => data.every((library) => library.id !== id))
  const toggle = (id: string): void =>
    onChange({ libraries: chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id] })
  return (
    <Radio.Group
      label={t('access.libraries')}
      value={libraries === 'all' ? 'all' : 'some'}
      onChange={(value) => onChange({ libraries: value === 'all' ? 'all' : data.map(({ id }) => id) })}
    >
      <Stack gap={3} className={styles.choices}>
        <Radio value="all" label={t('access.all')} description={t('access.allText')} />
        <Radio value="some" label={t('access.some')} description={t('access.someText')} />
        {libraries === 'all' ? null : (
          <Stack gap={3} className={styles.inset}>
            {data.map(({ id, name }) => (
              <Checkbox key={id} label={<bdi>{name}</bdi>} checked={chosen.includes(id)} onChange={() => toggle(id)} />
            ))}
            {hidden.length === 0 ? null : (
              <Text quiet size={13}>
                {t('access.hidden', { count: hidden.length })}
              </Text>
            )}
            {chosen.length === 0 ? <Notice kind="warning">{emptyText}</Notice> : null}
          </Stack>
        )}
      </Stack>
    </Radio.Group>
  )
}

const AgeField = ({ rules: { ageCeiling, includeUnrated }, onChange }: RulesFieldsProps): ReactNode => {
  const { t } = useTranslation('users')
  return (
    <>
      <NumberInput
        label={t('access.age')}
        description={t('access.ageText')}
        placeholder={t('access.noCeiling')}
        min={0}
        max={100}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        value={ageCeiling ?? ''}
        onChange={(value) => onChange({ ageCeiling: typeof value === 'number' ? value : null })}
      />
      {ageCeiling === null ? null : (
        <Checkbox
          label={t('access.unrated')}
          description={t('access.unratedText')}
          checked={includeUnrated}
          onChange={({ currentTarget }) => onChange({ includeUnrated: currentTarget.checked })}
        />
      )}
    </>
  )
}
