import { type DeviceDto, listDevices, mergeDevice } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { toast } from '../../ui/state/toasts.tsx'

interface MergeDeviceProps {
  readonly device: DeviceDto
  readonly name: string
  readonly others: readonly DeviceDto[]
  readonly onClose: () => void
}

/** Says that one device is another. Nothing takes that apart again, so the user has to confirm it. */
export const MergeDevice = ({ device: { id }, name, others, onClose }: MergeDeviceProps): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const [into, setInto] = useState(others[0]?.id ?? '')
  const merge = useChange(mergeDevice, { invalidates: [listDevices] })
  const nameOf = (device: DeviceDto): string => device.name ?? t('devices.nameless')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    merge.mutate(
      { params: { id }, body: { into } },
      {
        onSuccess: (device) => {
          toast({ text: t('devices.mergedInto', { name, into: nameOf(device) }) })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={t('devices.merge')} isOpen onClose={onClose}>
      <Form onSubmit={submit} problem={problemOf(merge.error)}>
        <NativeSelect
          label={t('devices.isReally', { name })}
          description={t('devices.mergeHint')}
          data-autofocus
          value={into}
          data={others.map((other) => ({ value: other.id, label: nameOf(other) }))}
          onChange={({ currentTarget: { value } }) => setInto(value)}
        />
        <div>
          <Button type="submit" loading={merge.isPending}>
            {t('devices.mergeNow')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
