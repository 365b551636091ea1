import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblem } from '../../../text/problem-text.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Form } from '../../../ui/form/form.tsx'

interface NameDialogProps {
  readonly title: string
  readonly name: string
  readonly problem: unknown
  readonly onClose: () => void
  readonly onSubmit: (name: string) => void
}

export const NameDialog = ({ title, name, problem, onClose, onSubmit }: NameDialogProps): ReactNode => {
  const { t } = useTranslation('search')
  const problemOf = useProblem()
  const [typed, setTyped] = useState(name)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit(typed.trim())
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSubmit={submit} problem={problemOf(problem)}>
        <TextInput
          label={t('advanced.presetName')}
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit">{t('advanced.presetKeep')}</Button>
      </Form>
    </Dialog>
  )
}
