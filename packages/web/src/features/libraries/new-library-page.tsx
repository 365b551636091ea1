import { createLibrary, type Grouping, listLibraries, previewNewLibrary, readingDirections } from '@carrel/api'
import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { query, useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { PageMissing } from '../../frame/page-states.tsx'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Columns, Stack } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { FolderList } from './folder-list.tsx'
import { GroupingChoice } from './grouping/grouping-choice.tsx'
import { adviceFor, isComplete, usualGrouping } from './grouping/grouping.ts'
import styles from './new-library.module.css'
import { Preview } from './preview.tsx'

const route = getRouteApi('/signed-in/framed/libraries/new')

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
  const [chosen, setChosen] = useState<Grouping>()
  const [direction, setDirection] = useState<Direction>('ltr')
  const { create, problem } = useCreate()
  const usualPreview = usePreview(roots, usualGrouping)
  const advice = usualPreview.data?.advice ?? []
  const best = advice[0] && { policy: advice[0].policy, config: advice[0].config }
  const grouping = chosen ?? best ?? usualGrouping
  const preview = usePreview(roots, grouping)
  const name = typedName ?? roots[0]?.split('/').at(-1) ?? ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ body: { name, roots: [...roots], grouping, readingDirection: direction } })
  }
  return (
    <Form onSubmit={submit} problem={problem} gap={5}>
      <Columns gap={6} rowGap={5} align="start" className={styles.columns}>
        <Stack gap={4} className={styles.fields}>
          <FolderList roots={roots} onChange={setRoots} />
          <TextField label={t('new.name')} required maxLength={200} value={name} onChange={setTypedName} />
          <GroupingChoice
            grouping={grouping}
            advice={advice}
            isBestFirst
            isLoading={usualPreview.isFetching && !usualPreview.data}
            error={preview.error}
            onChange={setChosen}
          />
          <DirectionField direction={direction} onChange={setDirection} />
        </Stack>
        <Preview roots={roots} grouping={grouping} preview={preview} advice={adviceFor(grouping, advice)} />
        <div className={styles.submit}>
          <Button type="submit" loading={create.isPending} disabled={roots.length === 0 || !isComplete(grouping)}>
            {t('new.create')}
          </Button>
        </div>
      </Columns>
    </Form>
  )
}

/** The server only reads; nothing is written. */
const usePreview = (roots: readonly string[], grouping: Grouping) =>
  useQuery({
    ...query(previewNewLibrary, { body: { roots: [...roots], grouping } }),
    select: ({ body }) => body,
    enabled: roots.length > 0 && isComplete(grouping),
    // Folders change without telling us.
    staleTime: 0,
  })

const useCreate = () => {
  const { t } = useTranslation('libraries')
  const router = useRouter()
  const problemOf = useProblem()
  const create = useChange(createLibrary, {
    invalidates: [listLibraries],
    onDone: async (library) => {
      await router.navigate({ href: paths.home() })
      toast({ text: t('new.created', { name: library.name }) })
    },
  })
  return { create, problem: problemOf(create.error) }
}

interface DirectionProps {
  readonly direction: Direction
  readonly onChange: (direction: Direction) => void
}

const DirectionField = ({ direction, onChange }: DirectionProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <Select
      label={t('new.direction')}
      allowDeselect={false}
      value={direction}
      data={readingDirections.map((value) => ({ value, label: t(`direction.${value}`) }))}
      onChange={(value) => onChange(readingDirections.find((each) => each === value) ?? 'ltr')}
    />
  )
}
