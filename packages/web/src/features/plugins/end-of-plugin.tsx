import { listPlugins, type PluginDto, readPluginMetrics, removePlugin } from '@carrel/api'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './plugins.module.css'

/** It removes the plugin: the one action here that cannot be undone. */
export const EndOfPlugin = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const mayDelete = useMay('plugins:delete')
  const [isLeaving, setLeaving] = useState(false)
  if (!mayDelete) return null
  return (
    <Section title={t('end.title')}>
      <Row gap={4} rowGap={2} justify="between" wrap pad={4} touch className={styles.danger}>
        <span>{t('end.text')}</span>
        <Button color="red" variant="outline" onClick={() => setLeaving(true)}>
          {t('end.delete')}
        </Button>
      </Row>
      {isLeaving ? <DeleteDialog plugin={plugin} onClose={() => setLeaving(false)} /> : null}
    </Section>
  )
}

interface DeleteDialogProps {
  readonly plugin: PluginDto
  readonly onClose: () => void
}

const DeleteDialog = ({ plugin, onClose }: DeleteDialogProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const problemOf = useProblem()
  const router = useRouter()
  const { id, displayName: name, hasCredentials, package: packageName } = plugin
  const remove = useChange(removePlugin, {
    isDeletion: true,
    onDone: async () => {
      await router.navigate({ href: paths.plugins(), replace: true })
      toast({ text: t('end.deleted', { name }) })
    },
    invalidates: [listPlugins, readPluginMetrics],
  })
  return (
    <Confirm
      title={t('end.deleteTitle', { name })}
      isOpen
      onClose={onClose}
      action={t('end.delete')}
      onConfirm={() => remove.mutate({ params: { id } })}
      isPending={remove.isPending}
      problem={problemOf(remove.error)}
    >
      <p>{t(hasCredentials ? 'end.lostWithCredentials' : 'end.lost')}</p>
      {packageName === null ? null : <p>{t('end.packageStays', { name: packageName })}</p>}
    </Confirm>
  )
}
