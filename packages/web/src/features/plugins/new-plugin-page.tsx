import { createPlugin, type CreatePluginRequest, listPluginPackages, listPlugins } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { PageMissing } from '../../frame/page-states.tsx'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { CommandFields } from './command-fields.tsx'
import { linesOf } from './lines.ts'

const route = getRouteApi('/signed-in/framed/administered/admin/plugins/new')

/** It asks for the program and the name. Permissions and configuration follow once the plugin has sent its manifest. */
export const NewPluginPage = (): ReactNode => {
  const { t } = useTranslation('plugins')
  if (!useMay('plugins:write')) return <PageMissing />
  return (
    <Page title={t('newTitle')} subtitle={t('newText')} width="narrow">
      <NewPluginForm />
    </Page>
  )
}

const aCommand = ' command'

interface Draft {
  readonly program: string
  readonly displayName: string
  /** Undefined: made of the displayed one. */
  readonly name: string | undefined
  readonly command: string
  readonly args: string
  readonly workingDirectory: string
}

/** `open-library` of `@carrel/plugin-open-library`. */
const shortNameOf = (name: string): string => name.replace(/^@[^/]+\//, '').replace(/^(carrel-)?plugin-/, '')

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100)

const titleOf = (name: string): string => {
  const words = shortNameOf(name).replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const bodyOf = (draft: Draft): CreatePluginRequest => {
  const named = { displayName: draft.displayName.trim(), name: draft.name ?? slugOf(draft.displayName) }
  if (draft.program !== aCommand) return { ...named, package: draft.program }
  const workingDirectory = draft.workingDirectory.trim()
  return {
    ...named,
    command: draft.command.trim(),
    args: linesOf(draft.args),
    ...(workingDirectory !== '' && { workingDirectory }),
  }
}

const NewPluginForm = (): ReactNode => {
  const { t } = useTranslation('plugins')
  const { packages } = useRead(listPluginPackages, {})
  const { package: requested } = route.useSearch()
  const first = packages.find(({ name }) => name === requested) ?? packages[0]
  const [draft, setDraft] = useState<Draft>({
    program: first?.name ?? aCommand,
    displayName: first === undefined ? '' : titleOf(first.name),
    name: undefined,
    command: 'node',
    args: '',
    workingDirectory: '',
  })
  const { create, problem } = useCreate()
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ body: bodyOf(draft) })
  }
  return (
    <Form onSubmit={submit} problem={problem}>
      <NativeSelect
        label={t('program')}
        description={t('programHint')}
        value={draft.program}
        data={[
          ...packages.map(({ name, version }) => ({ value: name, label: `${name} ${version}` })),
          { value: aCommand, label: t('aCommand') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          change({ program: value, ...(value !== aCommand && { displayName: titleOf(value), name: undefined }) })
        }
      />
      {draft.program === aCommand ? <CommandFields {...draft} onChange={change} /> : null}
      <NameFields draft={draft} onChange={change} />
      <Row gap={2} wrap touch>
        <Button type="submit" loading={create.isPending}>
          {t('create')}
        </Button>
        <Button component={AppLink} to={paths.plugins()} variant="default">
          {t('cancel')}
        </Button>
      </Row>
    </Form>
  )
}

interface NameFieldsProps {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

const NameFields = ({ draft, onChange }: NameFieldsProps): ReactNode => {
  const { t } = useTranslation('plugins')
  return (
    <>
      <TextField
        label={t('displayName')}
        autoComplete="off"
        required
        maxLength={100}
        value={draft.displayName}
        onChange={(displayName) => onChange({ displayName })}
      />
      <TextField
        label={t('name')}
        description={t('nameHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={100}
        pattern="[a-z0-9][a-z0-9\-]*"
        value={draft.name ?? slugOf(draft.displayName)}
        onChange={(name) => onChange({ name })}
      />
    </>
  )
}

const useCreate = () => {
  const { t } = useTranslation('plugins')
  const textOf = useProblemText()
  const router = useRouter()
  const create = useChange(createPlugin, {
    invalidates: [listPlugins],
    onDone: async ({ plugin }) => {
      await router.navigate({ href: paths.plugin(plugin.id), replace: true })
      toast({ text: t('created', { name: plugin.displayName }) })
    },
  })
  const isTaken = create.error instanceof ApiProblem && create.error.code === 'already_exists'
  return { create, problem: create.error ? (isTaken ? t('taken') : textOf(create.error)) : undefined }
}
