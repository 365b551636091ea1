import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface ListsFieldProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export const ListsField = ({ isOn, onChange }: ListsFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <Switch
      label={t('lists.title')}
      description={t('lists.text')}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
