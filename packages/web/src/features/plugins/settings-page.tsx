import type { PluginDto } from '@carrel/api'
import { Button, Textarea } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/me.ts'
import { PageMissing } from '../../frame/page-states.tsx'
import { ConfigFields } from '../../forms/config-fields.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { CommandFields } from './command-fields.tsx'
import { type Draft, draftOf, patchOf } from './draft.ts'
import { LimitFields } from './limit-fields.tsx'
import { PermissionFields } from './permission-fields.tsx'
import { PluginFrame } from './plugin-frame.tsx'
import { Secrets } from './secrets.tsx'
import { useUpdatePlugin } from './use-update-plugin.ts'

const route = getRouteApi('/signed-in/framed/administered/admin/plugins/$pluginId/settings')

export const PluginSettingsPage = (): ReactNode => {
  const { pluginId } = route.useParams()
  if (!useMay('plugins:write')) return <PageMissing />
  return (
    <PluginFrame id={pluginId}>
      {(plugin) => (
        <>
          <SettingsForm key={plugin.id} plugin={plugin} />
          <Secrets key={`${plugin.id} secrets`} plugin={plugin} />
        </>
      )}
    </PluginFrame>
  )
}

const SettingsForm = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { save, isPending, problem } = useUpdatePlugin(plugin)
  const [changes, setChanges] = useState<Partial<Draft>>({})
  const [round, setRound] = useState(0)
  const stored = draftOf(plugin)
  const draft = { ...stored, ...changes }
  const change = (part: Partial<Draft>): void => setChanges((now) => ({ ...now, ...part }))
  const patch = patchOf(stored, draft)
  const isSame = Object.keys(patch).length === 0
  const discard = (): void => {
    setChanges({})
    setRound(round + 1)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save({ body: patch, undo: patchOf(draft, stored), onDone: () => setChanges({}) })
  }
  const fields = { plugin, draft, onChange: change }
  return (
    <Form onSubmit={submit} problem={problem}>
      <TextField
        label={t('displayName')}
        autoComplete="off"
        required
        maxLength={100}
        value={draft.displayName}
        onChange={(displayName) => change({ displayName })}
      />
      <Textarea
        label={t('description')}
        autosize
        maxRows={8}
        maxLength={2000}
        value={draft.description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      {plugin.package === null ? <CommandFields {...draft} onChange={change} /> : null}
      <ConfigFields
        key={round}
        schema={plugin.manifest?.configSchema ?? null}
        config={draft.config}
        onChange={(config) => change({ config })}
        noForm={plugin.manifest === null ? t('config.testFirst') : undefined}
      />
      <PermissionFields {...fields} />
      <LimitFields {...fields} />
      <Row gap={2} wrap touch>
        <Button type="submit" loading={isPending} disabled={isSame}>
          {t('save')}
        </Button>
        {isSame ? null : (
          <Button variant="default" onClick={discard}>
            {t('discard')}
          </Button>
        )}
      </Row>
    </Form>
  )
}
