import { createLibrary, groupingPolicies, listLibraries, readingDirections } from '@carrel/api'
import { Button, Radio, Select } from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { AppLink } from '../../link.tsx'
import { useMay } from '../../me.ts'
import { PageMissing } from '../../page-states.tsx'
import { paths } from '../../paths.ts'
import { useProblemText } from '../../problem-text.ts'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toasts.tsx'
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
  const [name, setName] = useState('')
  const [roots, setRoots] = useState<readonly string[]>([])
  const [policy, setPolicy] = useState<Policy>('folder')
  const [direction, setDirection] = useState<Direction>('ltr')
  const nameByFolder = roots[0]?.split('/').at(-1) ?? ''
  return (
    <div className={styles.columns}>
      <LibraryForm
        {...{ name: name === '' ? nameByFolder : name, roots, policy, direction }}
        onName={setName}
        onRoots={setRoots}
        onPolicy={setPolicy}
        onDirection={setDirection}
      />
      <Preview roots={roots} policy={policy} />
    </div>
  )
}

interface LibraryFormProps {
  readonly name: string
  readonly roots: readonly string[]
  readonly policy: Policy
  readonly direction: Direction
  readonly onName: (name: string) => void
  readonly onRoots: (roots: readonly string[]) => void
  readonly onPolicy: (policy: Policy) => void
  readonly onDirection: (direction: Direction) => void
}

const LibraryForm = (props: LibraryFormProps): ReactNode => {
  const { name, roots, policy, direction, onName, onRoots } = props
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
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ body: { name, roots: [...roots], grouping: { policy }, readingDirection: direction } })
  }
  return (
    <Form onSubmit={submit} problem={create.error ? textOf(create.error) : undefined}>
      <FolderList roots={roots} onChange={onRoots} />
      <TextField label={t('new.name')} required maxLength={200} value={name} onChange={onName} />
      <Shape policy={policy} onPolicy={props.onPolicy} direction={direction} onDirection={props.onDirection} />
      <div>
        <Button type="submit" loading={create.isPending} disabled={roots.length === 0}>
          {t('new.create')}
        </Button>
      </div>
    </Form>
  )
}

type ShapeProps = Pick<LibraryFormProps, 'policy' | 'onPolicy' | 'direction' | 'onDirection'>

const Shape = ({ policy, onPolicy, direction, onDirection }: ShapeProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <>
      <Radio.Group
        label={t('new.grouping')}
        value={policy}
        onChange={(value) => onPolicy(groupingPolicies.find((each) => each === value) ?? 'folder')}
      >
        <div className={styles.policies}>
          {groupingPolicies.map((each) => (
            <Radio key={each} value={each} label={t(`policy.${each}.name`)} description={t(`policy.${each}.text`)} />
          ))}
        </div>
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
