import { disconnectUserPlugin, listUserPlugins, type UserPluginDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { toast } from '../../ui/state/toasts.tsx'

/** All data of the user that the plugin holds is deleted, and nothing brings it back: so it asks first. */
export const ForgetPlugin = ({ plugin }: { readonly plugin: UserPluginDto }): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const [isConfirming, setConfirming] = useState(false)
  const { id, pluginDisplayName: name, connection, connected } = plugin
  const kind = connection === null ? 'forget' : 'disconnect'
  const forget = useChange(disconnectUserPlugin, {
    invalidates: [listUserPlugins],
    onDone: () => {
      setConfirming(false)
      toast({ text: t(`plugins.${kind}Done`, { name }) })
    },
  })
  if (connection === null && !connected) return null
  return (
    <>
      <Button variant="default" aria-label={`${t(`plugins.${kind}`)}: ${name}`} onClick={() => setConfirming(true)}>
        {t(`plugins.${kind}`)}
      </Button>
      <Confirm
        title={t(`plugins.${kind}Title`, { name })}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        action={t(`plugins.${kind}`)}
        onConfirm={() => forget.mutate({ params: { id } })}
        isPending={forget.isPending}
        problem={problemOf(forget.error)}
      >
        <Text>{t(`plugins.${kind}Text`)}</Text>
        {connection?.kind === 'oauth' ? <Text>{t('plugins.alsoThere')}</Text> : null}
      </Confirm>
    </>
  )
}
