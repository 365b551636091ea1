import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblem } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'

interface Named {
  readonly name: string
  readonly summary: string | null
  readonly ordered: boolean
}

interface NameDialogProps {
  readonly title: string
  readonly before: Named
  readonly error: Error | null
  readonly isPending: boolean
  readonly onSave: (named: Named) => void
  readonly onClose: () => void
}

/** Name, description and order of a collection or a read list. */
export const NameDialog = ({ title, before, error, isPending, onSave, onClose }: NameDialogProps): ReactNode => {
  const { t } = useTranslation('lists')
  const problemOf = useProblem()
  const [named, setNamed] = useState(before)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSave({ ...named, summary: named.summary === '' ? null : named.summary })
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSubmit={submit} problem={problemOf(error)}>
        <TextInput
          label={t('listName')}
          required
          maxLength={200}
          data-autofocus
          value={named.name}
          onChange={({ currentTarget }) => setNamed({ ...named, name: currentTarget.value })}
        />
        <Textarea
          label={t('listSummary')}
          maxLength={10_000}
          rows={3}
          value={named.summary ?? ''}
          onChange={({ currentTarget }) => setNamed({ ...named, summary: currentTarget.value })}
        />
        <Checkbox
          label={t('listOrdered')}
          checked={named.ordered}
          onChange={({ currentTarget }) => setNamed({ ...named, ordered: currentTarget.checked })}
        />
        <Button type="submit" loading={isPending}>
          {t('save')}
        </Button>
      </Form>
    </Dialog>
  )
}
