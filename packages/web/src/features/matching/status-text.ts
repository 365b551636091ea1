import type { MetadataFieldPreview } from '@carrel/api'
import { useTranslation } from 'react-i18next'

/** Somebody has set the value by hand, which is why it stays. */
export const isSetByHand = ({ reason }: Pick<MetadataFieldPreview, 'reason'>): boolean => reason === 'said by people'

/** It says in words what would change in a field, or why nothing would. */
export const useStatusText = (plugin: string) => {
  const { t } = useTranslation('matching')
  return (field: Pick<MetadataFieldPreview, 'status' | 'reason'>): string =>
    isSetByHand(field) ? t('status.said') : t(`status.${field.status}`, { plugin })
}
