import { type DeviceDto, listDevices, renameDevice } from '@carrel/api'
import { Badge } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceId } from '../../api/device.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { AccountPage } from './account-page.tsx'
import { ForgetDevice } from './forget-device.tsx'
import { MergeDevice } from './merge-device.tsx'
import { RenameDevice } from './rename-device.tsx'
import { devicesOnPage } from '../../lists/pages/rows-on-page.ts'
import { WayOut } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/account/devices')

export const DevicesPage = (): ReactNode => {
  const { t } = useTranslation('account')
  const goTo = useGoTo()
  const { page = 1 } = route.useSearch()
  const { data, totalPages } = useRead(listDevices, { query: { page, pageSize: devicesOnPage } })
  return (
    <AccountPage>
      <Section title={t('devices.title')} text={t('devices.text')}>
        {data.length === 0 ? (
          <EmptyState
            icon="device"
            title={t('devices.none')}
            text={t('devices.noneText')}
            action={<WayOut to={paths.home()} />}
          />
        ) : (
          <RowList label={t('devices.title')}>
            {data.map((device) => (
              <DeviceRow key={device.id} device={device} others={data.filter(({ id }) => id !== device.id)} />
            ))}
          </RowList>
        )}
        <Pager
          label={t('devices.pages')}
          page={page}
          pages={totalPages}
          onGo={(next) => goTo(next === 1 ? paths.accountDevices() : `${paths.accountDevices()}?page=${next}`)()}
        />
      </Section>
    </AccountPage>
  )
}

interface DeviceRowProps {
  readonly device: DeviceDto
  readonly others: readonly DeviceDto[]
}

const DeviceRow = ({ device, others }: DeviceRowProps): ReactNode => {
  const { t } = useTranslation('account')
  const { ago } = useTimeText()
  const [openDialog, setOpenDialog] = useState<'name' | 'merge' | 'forget'>()
  const rename = useRename(device)
  const close = (): void => setOpenDialog(undefined)
  const name = device.name ?? t('devices.nameless')
  const actions: MenuAction[] = [
    { key: 'name', icon: 'edit', label: t('devices.rename'), run: () => setOpenDialog('name') },
    ...(device.name !== device.ownName
      ? [{ key: 'own', icon: 'undo', label: t('devices.ownName'), run: () => rename(null) } as const]
      : []),
    ...(others.length > 0
      ? [{ key: 'merge', icon: 'merge', label: t('devices.merge'), run: () => setOpenDialog('merge') } as const]
      : []),
    { key: 'forget', icon: 'trash', label: t('devices.forget'), run: () => setOpenDialog('forget') },
  ]
  const about = [
    t('devices.used', { when: ago(device.lastUsedAt) }),
    device.ownName !== null && device.ownName !== device.name ? t('devices.calls', { name: device.ownName }) : '',
    device.mergedIds.length > 0 ? t('devices.merged', { count: device.mergedIds.length }) : '',
  ]
  return (
    <ListRow
      icon="device"
      title={name}
      mark={
        device.id === deviceId() ? (
          <Badge variant="light" ml="xs">
            {t('devices.thisOne')}
          </Badge>
        ) : null
      }
      text={about.filter((part) => part !== '').join(' · ')}
      actions={<ActionMenu label={t('devices.more', { name })} actions={actions} link={AppLink} />}
    >
      {openDialog === 'name' ? <RenameDevice name={name} onName={rename} onClose={close} /> : null}
      {openDialog === 'merge' ? <MergeDevice device={device} name={name} others={others} onClose={close} /> : null}
      {openDialog === 'forget' ? <ForgetDevice device={device} name={name} onClose={close} /> : null}
    </ListRow>
  )
}

const useRename = ({ id, name: before, ownName }: DeviceDto): ((name: string | null) => void) => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const { mutate } = useChange(renameDevice, { invalidates: [listDevices] })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const put = (name: string | null, onSuccess?: () => void): void =>
    mutate({ params: { id }, body: { name } }, { onError, ...(onSuccess && { onSuccess }) })
  return (name) =>
    put(name, () => toast({ text: t('devices.renamed'), undo: () => put(before === ownName ? null : before) }))
}
