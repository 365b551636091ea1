import {
  type InstallPackageRequest,
  installPluginPackage,
  listPluginPackages,
  readTask,
  type TaskDto,
} from '@carrel/api'
import { Button, SegmentedControl } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invalidate, useChange, useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useFailureSentence, useProblem } from '../../text/problem-text.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { ServerWords } from '../../ui/state/server-words.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './plugins.module.css'

type Source = InstallPackageRequest['source']

interface PackageFields {
  readonly path: string
  readonly name: string
  readonly version: string
}

/**
 * A plugin is installed from a folder on the server, or from npm if the settings allow it. A task installs it; this
 * part shows how that ends.
 */
export const Install = (): ReactNode => {
  const { t } = useTranslation('plugins')
  const problemOf = useProblem()
  const [source, setSource] = useState<Source>('folder')
  const [words, setWords] = useState<PackageFields>({ path: '', name: '', version: '' })
  const mayFollow = useMay('tasks:read')
  const start = useChange(installPluginPackage, {
    onDone: () => {
      if (!mayFollow) toast({ text: t('install.started') })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const { path, name, version } = words
    start.mutate({
      body:
        source === 'folder' ? { source, path: path.trim() } : { source, name: name.trim(), version: version.trim() },
    })
  }
  const taskId = start.data?.taskId
  return (
    <Section title={t('install.title')} text={t('install.text')}>
      <SegmentedControl
        className={styles.sources ?? ''}
        aria-label={t('install.from')}
        value={source}
        data={[
          { value: 'folder', label: t('install.folder') },
          { value: 'npm', label: t('install.npm') },
        ]}
        onChange={(value) => setSource(value === 'npm' ? 'npm' : 'folder')}
      />
      <Form onSubmit={submit} problem={problemOf(start.error)}>
        <SourceFields source={source} words={words} onChange={setWords} />
        <div>
          <Button type="submit" variant="default" loading={start.isPending}>
            {t('install.do')}
          </Button>
        </div>
      </Form>
      {taskId === undefined || !mayFollow ? null : <Progress key={taskId} taskId={taskId} />}
    </Section>
  )
}

interface SourceFieldsProps {
  readonly source: Source
  readonly words: PackageFields
  readonly onChange: (words: PackageFields) => void
}

const SourceFields = ({ source, words, onChange }: SourceFieldsProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const field = (key: keyof PackageFields) => ({
    value: words[key],
    required: true,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    onChange: (value: string): void => onChange({ ...words, [key]: value }),
  })
  if (source === 'folder')
    return (
      <TextField label={t('install.path')} description={t('install.pathHint')} maxLength={4096} {...field('path')} />
    )
  return (
    <>
      <TextField label={t('install.name')} description={t('install.nameHint')} maxLength={214} {...field('name')} />
      <TextField
        label={t('install.version')}
        description={t('install.versionHint')}
        placeholder="1.2.3"
        maxLength={80}
        {...field('version')}
        pattern="\d+\.\d+\.\d+(-[0-9A-Za-z.\-]{1,64})?"
      />
      <Text quiet size={13}>
        <AppLink to={paths.serverSettings({ q: 'plugins.allowed_packages' })}>{t('install.toSetting')}</AppLink>
      </Text>
    </>
  )
}

/** The event stream keeps it up to date. */
const Progress = ({ taskId }: { readonly taskId: string }): ReactNode => {
  const { t } = useTranslation('plugins')
  const sentence = useFailureSentence()
  const { data: task } = useLater(readTask, { params: { id: taskId } })
  const isDone = task?.status === 'completed'
  useEffect(() => {
    if (isDone) void invalidate(listPluginPackages)
  }, [isDone])
  if (task?.status === 'failed' || task?.status === 'cancelled') {
    const { lastError, lastFailure } = task
    return (
      <Notice kind="danger">
        {t('install.failed', { reason: lastFailure === null ? '' : sentence(lastFailure) })}
        {lastError === null ? null : <ServerWords text={lastError} />}
      </Notice>
    )
  }
  if (isDone) return <Installed result={task.result} />
  return (
    <Stack gap={1}>
      <span role="status">{t(task?.status === 'processing' ? 'install.running' : 'install.waiting')}</span>
      <Meter label={t('install.running')} done={0} />
    </Stack>
  )
}

const Installed = ({ result }: { readonly result: TaskDto['result'] }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { name = '', version = '' } = (result ?? {}) as { name?: string; version?: string }
  return (
    <Notice kind="info">
      {t('install.done', { name, version })}{' '}
      <AppLink to={paths.newPlugin({ package: name })}>{t('install.setUp')}</AppLink>
    </Notice>
  )
}
