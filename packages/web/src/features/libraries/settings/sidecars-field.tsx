import { type SidecarTarget, sidecarTargets } from '@carrel/api'
import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface SidecarsFieldProps {
  readonly target: SidecarTarget
  readonly onChange: (target: SidecarTarget) => void
}

/** Where what is said of the books of a library is written out. */
export const SidecarsField = ({ target, onChange }: SidecarsFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <Select
      label={t('sidecars.title')}
      description={t('sidecars.text')}
      data={sidecarTargets.map((value) => ({ value, label: t(`sidecars.${value}`) }))}
      value={target}
      allowDeselect={false}
      onChange={(value) => value !== null && onChange(value)}
    />
  )
}
