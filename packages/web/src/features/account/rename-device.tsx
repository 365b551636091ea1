import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'

interface RenameDeviceProps {
  readonly name: string
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

/** The user gives a device a name. */
export const RenameDevice = ({ name, onName, onClose }: RenameDeviceProps): ReactNode => {
  const { t } = useTranslation('account')
  const [typed, setTyped] = useState(name)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const newName = typed.trim()
    if (newName === '') return
    if (newName !== name) onName(newName)
    onClose()
  }
  return (
    <Dialog title={t('devices.rename')} isOpen onClose={onClose} size="sm">
      <Form onSubmit={submit}>
        <TextField
          label={t('devices.name')}
          required
          maxLength={128}
          data-autofocus
          value={typed}
          onChange={setTyped}
        />
        <div>
          <Button type="submit">{t('devices.save')}</Button>
        </div>
      </Form>
    </Dialog>
  )
}
