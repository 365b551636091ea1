import { useTranslation } from 'react-i18next'
import { isField } from '../../../metadata/fields.ts'
import { useFieldText } from '../../../metadata/value-text.ts'

/** It names what a condition asks about: a field of metadata as everywhere else. */
export const useConditionText = (): ((field: string) => string) => {
  const { t } = useTranslation('search')
  const fieldText = useFieldText()
  return (field) => (isField(field) ? fieldText(field) : t(`advanced.field.${field as 'genre'}`))
}
