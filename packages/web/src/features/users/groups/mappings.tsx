import {
  type AccessGroupDetail,
  addAccessGroupOidcMapping,
  deleteAccessGroupOidcMapping,
  readAccessGroup,
} from '@carrel/api'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../../api/call.ts'
import { useChange } from '../../../api/queries.ts'
import { useProblem, useProblemText } from '../../../text/problem-text.ts'
import { IconAction } from '../../../ui/action-menu.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Row } from '../../../ui/layout/layout.tsx'
import { Section } from '../../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../../ui/row-list.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import styles from '../users.module.css'

/** Groups at a sign-in provider whose members come into this one when they sign in. */
export const Mappings = ({ group: { id, oidcMappings } }: { readonly group: AccessGroupDetail }): ReactNode => {
  const { t } = useTranslation('users')
  const [textOf, problemOf] = [useProblemText(), useProblem()]
  const [name, setName] = useState('')
  const add = useChange(addAccessGroupOidcMapping, { invalidates: [readAccessGroup] })
  const remove = useChange(deleteAccessGroupOidcMapping, { invalidates: [readAccessGroup] })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add.mutate({ params: { id }, body: { oidcGroupName: name } }, { onSuccess: () => setName('') })
  }
  const drop = (mappingId: string, oidcGroupName: string): void =>
    remove.mutate(
      { params: { id, mappingId } },
      {
        onError,
        onSuccess: () =>
          toast({
            text: t('mappings.removed', { name: oidcGroupName }),
            undo: () => add.mutate({ params: { id }, body: { oidcGroupName } }, { onError }),
          }),
      },
    )
  const isThere = add.error instanceof ApiProblem && add.error.code === 'already_exists'
  return (
    <Section title={t('mappings.title')} text={t('mappings.text')}>
      <RowList label={t('mappings.title')}>
        {oidcMappings.map((mapping) => (
          <ListRow
            key={mapping.id}
            icon="key"
            title={<bdi>{mapping.oidcGroupName}</bdi>}
            actions={
              <IconAction
                icon="close"
                label={t('mappings.remove', { name: mapping.oidcGroupName })}
                onClick={() => drop(mapping.id, mapping.oidcGroupName)}
              />
            }
          />
        ))}
      </RowList>
      <Form onSubmit={submit} problem={isThere ? t('mappings.isThere') : problemOf(add.error)}>
        <Row gap={2} align="end" wrap touch className={styles.add}>
          <TextField
            label={t('mappings.name')}
            description={t('mappings.nameHint')}
            required
            maxLength={255}
            value={name}
            onChange={setName}
          />
          <Button type="submit" variant="default" loading={add.isPending}>
            {t('mappings.add')}
          </Button>
        </Row>
      </Form>
    </Section>
  )
}
