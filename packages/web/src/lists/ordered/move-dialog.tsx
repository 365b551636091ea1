import { Button, NumberInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'

interface MoveDialogProps {
  readonly title: string
  readonly position: number
  readonly count: number
  readonly onMove: (position: number) => void
  readonly onClose: () => void
}

/** The dialog moves an entry to a position by number: that is further than one would drag. */
export const MoveDialog = ({ title, position, count, onMove, onClose }: MoveDialogProps): ReactNode => {
  const { t } = useTranslation('lists')
  const [to, setTo] = useState<number | string>(position)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (typeof to === 'number') onMove(to)
    onClose()
  }
  return (
    <Dialog title={t('moveTo')} isOpen onClose={onClose} size="sm">
      <Form onSubmit={submit}>
        <NumberInput
          label={t('newPlace', { title, count })}
          data-autofocus
          value={to}
          min={1}
          max={count}
          allowDecimal={false}
          onChange={setTo}
        />
        <Button type="submit">{t('move')}</Button>
      </Form>
    </Dialog>
  )
}
