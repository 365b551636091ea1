import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/form/fields.tsx'
import type { PartProps } from './fields.ts'

export const NameFields = ({ draft, onChange }: PartProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <>
      <TextField
        label={t('new.name')}
        required
        maxLength={200}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <Textarea
        label={t('description')}
        description={t('descriptionText')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2000}
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
    </>
  )
}
