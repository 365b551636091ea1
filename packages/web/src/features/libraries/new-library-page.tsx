import { createLibrary, type groupingPolicies, listLibraries, readingDirections } from '@carrel/api'
import { Button, Radio, Select } from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { PageMissing } from '../../frame/page-states.tsx'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Columns, Stack } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { choosablePolicies } from './choosable-policies.ts'
import { FolderList } from './folder-list.tsx'
import styles from './new-library.module.css'
import { Preview } from './preview.tsx'

const route = getRouteApi('/signed-in/framed/libraries/new')

type Policy = (typeof groupingPolicies)[number]
type Direction = (typeof readingDirections)[number]

/** Folders, how they group, and what that would make of them, before anything is written. */
export const NewLibraryPage = (): ReactNode => {
  const { t } = useTranslation('libraries')
  const { welcome } = route.useSearch()
  if (!useMay('libraries:write')) return <PageMissing />
  return (
    <Page
      title={t('new.title')}
      subtitle={welcome === undefined ? undefined : t('new.welcome')}
      actions={
        welcome === undefined ? undefined : (
          <Button component={AppLink} to={paths.home()} variant="default">
            {t('new.later')}
          </Button>
        )
      }
    >
      <NewLibrary />
    </Page>
  )
}

const NewLibrary = (): ReactNode => {
  const { t } = useTranslation('libraries')
  const [typedName, setTypedName] = useState<string>()
  const [roots, setRoots] = useState<readonly string[]>([])
  const [policy, setPolicy] = useState<Policy>('folder')
  const [direction, setDirection] = useState<Direction>('ltr')
  const { create, problem } = useCreate()
  const name = typedName ?? roots[0]?.split('/').at(-1) ?? ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ body: { name, roots: [...roots], grouping: { policy }, readingDirection: direction } })
  }
  return (
    <Form onSubmit={submit} problem={problem} gap={5}>
      <Columns gap={6} rowGap={5} align="start" className={styles.columns}>
        <Stack gap={4} className={styles.fields}>
          <FolderList roots={roots} onChange={setRoots} />
          <TextField label={t('new.name')} required maxLength={200} value={name} onChange={setTypedName} />
          <Shape policy={policy} onPolicy={setPolicy} direction={direction} onDirection={setDirection} />
        </Stack>
        <Preview roots={roots} policy={policy} />
        <div className={styles.submit}>
          <Button type="submit" loading={create.isPending} disabled={roots.length === 0}>
            {t('new.create')}
          </Button>
        </div>
      </Columns>
    </Form>
  )
}

const useCreate = () => {
  const { t } = useTranslation('libraries')
  const router = useRouter()
  const textOf = useProblemText()
  const create = useChange(createLibrary, {
    invalidates: [listLibraries],
    onDone: async (library) => {
      await router.navigate({ href: paths.home() })
      toast({ text: t('new.created', { name: library.name }) })
    },
  })
  return { create, problem: create.error ? textOf(create.error) : undefined }
}

interface ShapeProps {
  readonly policy: Policy
  readonly direction: Direction
  readonly onPolicy: (policy: Policy) => void
  readonly onDirection: (direction: Direction) => void
}

const Shape = ({ policy, onPolicy, direction, onDirection }: ShapeProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <>
      <Radio.Group
        label={t('new.grouping')}
        value={policy}
        onChange={(value) => onPolicy(choosablePolicies().find((each) => each === value) ?? 'folder')}
      >
        <Stack gap={3} className={styles.policies}>
          {choosablePolicies().map((each) => (
            <Radio key={each} value={each} label={t(`policy.${each}.name`)} description={t(`policy.${each}.text`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Select
        label={t('new.direction')}
        allowDeselect={false}
        value={direction}
        data={readingDirections.map((value) => ({ value, label: t(`direction.${value}`) }))}
        onChange={(value) => onDirection(readingDirections.find((each) => each === value) ?? 'ltr')}
      />
    </>
  )
}
