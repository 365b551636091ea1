import type { DownloadMetadata } from '@carrel/api'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** The list of the contract would be a script of its own, for it is on another page too. */
const choices = ['original', 'embedded'] as const satisfies readonly DownloadMetadata[]

interface KeyDownloadsProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  /** Null: as its owner has said. */
  readonly value: DownloadMetadata | null
  readonly onChange: (value: DownloadMetadata | null) => void
}

/** It says what the files hold that are downloaded with a key. */
export const KeyDownloads = ({ value, onChange, ...props }: KeyDownloadsProps): ReactNode => {
  const { t } = useTranslation('account')
  return (
    <NativeSelect
      {...props}
      value={value ?? ''}
      data={[
        { value: '', label: t('keys.downloadsOwn') },
        ...choices.map((choice) => ({ value: choice, label: t(`profile.${choice}`) })),
      ]}
      onChange={({ currentTarget }) => onChange(choices.find((choice) => choice === currentTarget.value) ?? null)}
    />
  )
}
