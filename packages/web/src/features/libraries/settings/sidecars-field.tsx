import { type SidecarPlace, sidecarPlaces } from '@carrel/api'
import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface SidecarsFieldProps {
  readonly place: SidecarPlace
  readonly onChange: (place: SidecarPlace) => void
}

/** Where what is said of the books of a library is written out. */
export const SidecarsField = ({ place, onChange }: SidecarsFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <Select
      label={t('sidecars.title')}
      description={t('sidecars.text')}
      data={sidecarPlaces.map((value) => ({ value, label: t(`sidecars.${value}`) }))}
      value={place}
      allowDeselect={false}
      onChange={(value) => value !== null && onChange(value)}
    />
  )
}
