import { Button, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../../api/call.ts'
import { useProblem } from '../../../text/problem-text.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { Form } from '../../../ui/form/form.tsx'

export interface Named {
  readonly name: string
  readonly description: string | null
}

interface NamedDialogProps {
  readonly title: string
  readonly action: string
  readonly before: Named
  readonly error: Error | null
  readonly isPending: boolean
  readonly onSave: (named: Named) => void
  readonly onClose: () => void
}

/** Name and description of a group or a tag. */
export const NamedDialog = (props: NamedDialogProps): ReactNode => {
  const { title, action, before, error, isPending, onSave, onClose } = props
  const { t } = useTranslation('users')
  const problemOf = useProblem()
  const [{ name, description }, setNamed] = useState(before)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSave({ name: name.trim(), description: description?.trim() === '' ? null : description })
  }
  const isTaken = error instanceof ApiProblem && error.code === 'already_exists'
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSubmit={submit} problem={isTaken ? t('nameTaken') : problemOf(error)}>
        <TextField
          label={t('name')}
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(text) => setNamed({ name: text, description })}
        />
        <Textarea
          label={t('description')}
          maxLength={1000}
          rows={2}
          value={description ?? ''}
          onChange={({ currentTarget }) => setNamed({ name, description: currentTarget.value })}
        />
        <div>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
