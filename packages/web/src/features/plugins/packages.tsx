import { listPluginPackages, removePluginPackage } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { toast } from '../../ui/state/toasts.tsx'

/** It lists the packages from which plugins can be set up. */
export const Packages = (): ReactNode => {
  const { t } = useTranslation('plugins')
  const { ago } = useTimeText()
  const mayChange = useMay('plugins:write')
  const mayDelete = useMay('plugins:delete')
  const [leaving, setLeaving] = useState<string>()
  const { packages } = useRead(listPluginPackages, {})
  return (
    <Section title={t('packages.title')} text={t(packages.length === 0 ? 'packages.none' : 'packages.text')}>
      <RowList label={t('packages.title')}>
        {packages.map(({ name, version, source, installedAt }) => (
          <ListRow
            key={name}
            icon="copy"
            title={<bdi>{name}</bdi>}
            text={[
              version,
              t(`packages.source.${source}`),
              source === 'built_in' ? undefined : t('packages.installed', { when: ago(installedAt) }),
            ]
              .filter((word) => word !== undefined)
              .join(' · ')}
            actions={
              <>
                {mayDelete && source !== 'built_in' ? (
                  <Button
                    variant="subtle"
                    color="red"
                    aria-label={t('packages.removeOf', { name })}
                    onClick={() => setLeaving(name)}
                  >
                    {t('packages.remove')}
                  </Button>
                ) : null}
                {mayChange ? (
                  <Button
                    component={AppLink}
                    to={paths.newPlugin({ package: name })}
                    variant="default"
                    aria-label={t('packages.setUpOf', { name })}
                  >
                    {t('packages.setUp')}
                  </Button>
                ) : null}
              </>
            }
          />
        ))}
      </RowList>
      {leaving === undefined ? null : <RemoveDialog name={leaving} onClose={() => setLeaving(undefined)} />}
    </Section>
  )
}

interface RemoveDialogProps {
  readonly name: string
  readonly onClose: () => void
}

const RemoveDialog = ({ name, onClose }: RemoveDialogProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const problemOf = useProblem()
  const remove = useChange(removePluginPackage, {
    onDone: () => {
      onClose()
      toast({ text: t('packages.removed', { name }) })
    },
    invalidates: [listPluginPackages],
  })
  return (
    <Confirm
      title={t('packages.removeTitle', { name })}
      isOpen
      onClose={onClose}
      action={t('packages.remove')}
      onConfirm={() => remove.mutate({ params: { name } })}
      isPending={remove.isPending}
      problem={problemOf(remove.error)}
    >
      <p>{t('packages.removeText')}</p>
    </Confirm>
  )
}
