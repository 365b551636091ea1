import { type DeviceDto, forgetDevice, listDevices } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { toast } from '../../ui/state/toasts.tsx'

interface ForgetDeviceProps {
  readonly device: DeviceDto
  readonly name: string
  readonly onClose: () => void
}

/** Its names and how one reads on it cannot be brought back; what was read with it stays. */
export const ForgetDevice = ({ device: { id }, name, onClose }: ForgetDeviceProps): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const forget = useChange(forgetDevice, { invalidates: [listDevices] })
  const run = (): void =>
    forget.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          toast({ text: t('devices.forgotten', { name }) })
          onClose()
        },
      },
    )
  return (
    <Confirm
      title={t('devices.forgetTitle', { name })}
      isOpen
      onClose={onClose}
      action={t('devices.forget')}
      onConfirm={run}
      isPending={forget.isPending}
      problem={problemOf(forget.error)}
    >
      <Text>{t('devices.forgetText')}</Text>
    </Confirm>
  )
}
