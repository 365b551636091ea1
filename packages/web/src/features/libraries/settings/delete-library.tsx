import { deleteLibrary, type LibraryDto, listLibraries } from '@carrel/api'
import { Button, Checkbox } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invalidate, useChange } from '../../../api/queries.ts'
import { useMay } from '../../../session/me.ts'
import { paths } from '../../../navigation/paths.ts'
import { useProblem } from '../../../text/problem-text.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout/layout.tsx'
import { Section } from '../../../ui/layout/page.tsx'
import { toast } from '../../../ui/state/toasts.tsx'

interface DeleteLibraryProps {
  readonly library: LibraryDto
}

/** A deleted library cannot be restored, so the dialog asks first, and says what goes and what stays. */
export const DeleteLibrary = ({ library }: DeleteLibraryProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Section title={t('delete.title')} text={t('delete.text')}>
      <div>
        <Button variant="default" leftSection={<Icon name="trash" size="small" />} onClick={() => setIsAsking(true)}>
          {t('delete.open')}
        </Button>
      </div>
      <Dialog title={t('delete.ask', { name: library.name })} isOpen={isAsking} onClose={() => setIsAsking(false)}>
        <Ask library={library} onClose={() => setIsAsking(false)} />
      </Dialog>
    </Section>
  )
}

const Ask = ({ library, onClose }: DeleteLibraryProps & { readonly onClose: () => void }): ReactNode => {
  const { t } = useTranslation(['libraries', 'common'])
  const problemOf = useProblem()
  const mayForget = useMay('system:admin')
  const [purge, setPurge] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useDelete(library)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    remove.mutate({ params: { id: library.id }, query: { purge } })
  }
  return (
    <Form onSubmit={submit} problem={problemOf(remove.error)}>
      <ul>
        <li>{t('delete.goes', { series: library.seriesCount, books: library.bookCount })}</li>
        <li>{t('delete.files')}</li>
        <li>{t(purge ? 'delete.forgotten' : 'delete.kept')}</li>
      </ul>
      {mayForget ? (
        <Checkbox
          label={t('delete.purge')}
          checked={purge}
          onChange={({ currentTarget }) => setPurge(currentTarget.checked)}
        />
      ) : null}
      {purge ? (
        <TextField
          label={t('delete.type', { name: library.name })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      ) : null}
      <Row gap={2} justify="end" wrap>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" color="red" loading={remove.isPending} disabled={purge && typed !== library.name}>
          {t(purge ? 'delete.confirmPurge' : 'delete.confirm')}
        </Button>
      </Row>
    </Form>
  )
}

const useDelete = ({ name }: LibraryDto) => {
  const { t } = useTranslation('libraries')
  const router = useRouter()
  return useChange(deleteLibrary, {
    isDeletion: true,
    onDone: async () => {
      await router.navigate({ href: paths.adminLibraries() })
      await invalidate(listLibraries)
      toast({ text: t('delete.done', { name }) })
    },
  })
}
