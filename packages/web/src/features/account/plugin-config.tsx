import { listUserPlugins, readRecommendations, saveUserPluginConfig, type UserPluginDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { ConfigFields } from '../../forms/config-fields.tsx'
import { useProblem } from '../../text/problem-text.ts'
import { Form } from '../../ui/form/form.tsx'
import { toast } from '../../ui/state/toasts.tsx'

/** The user configures a plugin with the form that the plugin supplies. */
export const PluginConfig = ({ plugin }: { readonly plugin: UserPluginDto }): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const { id, config: stored, userConfigSchema, pluginDisplayName: name } = plugin
  const [config, setConfig] = useState<Readonly<Record<string, unknown>>>(stored)
  const save = useChange(saveUserPluginConfig, { invalidates: [listUserPlugins, readRecommendations] })
  const put = (next: Readonly<Record<string, unknown>>, onSuccess: () => void): void =>
    save.mutate({ params: { id }, body: { config: { ...next } } }, { onSuccess })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    put(config, () => toast({ text: t('plugins.configSaved', { name }), undo: () => put(stored, () => undefined) }))
  }
  const isSame = JSON.stringify(config) === JSON.stringify(stored)
  return (
    <Form onSubmit={submit} problem={problemOf(save.error)}>
      <ConfigFields schema={userConfigSchema} config={config} onChange={setConfig} />
      <div>
        <Button type="submit" variant="default" loading={save.isPending} disabled={isSame}>
          {t('plugins.saveConfig')}
        </Button>
      </div>
    </Form>
  )
}
