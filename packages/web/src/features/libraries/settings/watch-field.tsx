import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface WatchFieldProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export const WatchField = ({ isOn, onChange }: WatchFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <Switch
      label={t('watch.title')}
      description={t('watch.text')}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
