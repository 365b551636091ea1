import { pluginLogLevels } from '@carrel/api'
import { NativeSelect, NumberInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Stack } from '../../ui/layout/layout.tsx'
import { logLevelOf } from './draft.ts'
import type { PartProps } from './form-props.ts'
import styles from './plugins.module.css'

/** The limits say how often the plugin is called, how long it may take, and how much it writes to its log. */
export const LimitFields = ({ draft, onChange }: PartProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const wholeNumber = { allowDecimal: false, allowNegative: false, clampBehavior: 'strict', min: 1 } as const
  return (
    <Stack as="fieldset" gap={4} className={styles.group}>
      <legend>{t('limits.title')}</legend>
      <NumberInput
        label={t('limits.rate')}
        description={t('limits.rateText')}
        placeholder={t('limits.noLimit')}
        {...wholeNumber}
        max={60_000}
        value={draft.requestsPerMinute ?? ''}
        onChange={(value) => onChange({ requestsPerMinute: typeof value === 'number' ? value : null })}
      />
      <NumberInput
        label={t('limits.timeout')}
        description={t('limits.timeoutText')}
        placeholder="30"
        {...wholeNumber}
        max={600}
        value={draft.timeoutSeconds ?? ''}
        onChange={(value) => onChange({ timeoutSeconds: typeof value === 'number' ? value : null })}
      />
      <NativeSelect
        label={t('limits.log')}
        description={t('limits.logText')}
        value={draft.logLevel ?? ''}
        data={[
          { value: '', label: t('limits.usualLog') },
          ...pluginLogLevels.map((level) => ({ value: level, label: t(`limits.level.${level}`) })),
        ]}
        onChange={({ currentTarget }) => onChange({ logLevel: logLevelOf(currentTarget.value) })}
      />
    </Stack>
  )
}
