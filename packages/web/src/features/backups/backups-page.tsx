import { addressOf, type BackupDto, downloadBackup, listBackups, listSettings, removeBackup } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useChange, useLater, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { useRhythmText } from '../../schedules/rhythm-text.ts'
import { useSizeText } from '../../text/size-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Page, Section } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './backups.module.css'
import { settingsInput } from './inputs.ts'
import { MakeBackup } from './make-backup.tsx'
import { Restoring } from './restoring.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/backups')

/** The copies there are, making one now, and what it takes to go back to one. */
export const BackupsPage = (): ReactNode => {
  const { t } = useTranslation('backups')
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, total, totalPages } = useRead(listBackups, { query: { page } })
  const [leaving, setLeaving] = useState<BackupDto>()
  return (
    <Page title={t('title')} subtitle={t('text')} width="narrow">
      <MakeBackup />
      <Section title={t('list')} text={total === 0 ? undefined : t('count', { count: total })}>
        {total === 0 ? <EmptyState icon="copy" title={t('none')} text={t('noneText')} /> : null}
        <RowList label={t('list')}>
          {data.map((backup) => (
            <BackupRow key={backup.name} backup={backup} onRemove={() => setLeaving(backup)} />
          ))}
        </RowList>
        <Pager
          label={t('list')}
          page={page}
          pages={totalPages}
          onGo={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
        />
      </Section>
      <Schedule />
      <Restoring latest={data.find(({ verified }) => verified)?.name} />
      {leaving === undefined ? null : <Remove backup={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

interface BackupRowProps {
  readonly backup: BackupDto
  readonly onRemove: () => void
}

const BackupRow = ({ backup, onRemove }: BackupRowProps): ReactNode => {
  const { t } = useTranslation('backups')
  const { moment } = useTimeText()
  const size = useSizeText()
  const { name, createdAt, verified, reason, program, schemaVersion } = backup
  const when = moment(createdAt)
  const details = [
    t(`reason.${reason}`),
    size(backup.size),
    program === null ? undefined : t('program', { version: program }),
    schemaVersion === null ? undefined : t('schema', { version: schemaVersion }),
  ]
  return (
    <ListRow
      icon="copy"
      title={when}
      mark={<Mark kind={verified ? 'good' : 'danger'}>{t(verified ? 'verified' : 'damaged')}</Mark>}
      text={
        <>
          {details.filter((detail) => detail !== undefined).join(' · ')}
          <br />
          <code className={styles.name}>{name}</code>
        </>
      }
      actions={
        <>
          <Button
            component="a"
            variant="default"
            className={styles.action ?? ''}
            href={`${basePath}${addressOf(downloadBackup, { params: { name } })}`}
            download={name}
            aria-label={t('downloadOf', { when })}
            leftSection={<Icon name="download" size="small" />}
          >
            {t('download')}
          </Button>
          <IconAction icon="trash" label={t('removeOf', { when })} onClick={onRemove} />
        </>
      }
    />
  )
}

/** When one is made by itself, and how many stay: two settings. */
const Schedule = (): ReactNode => {
  const { t } = useTranslation('backups')
  const rhythm = useRhythmText()
  const mayRead = useMay('settings:read')
  const { data } = useLater(listSettings, settingsInput, { enabled: mayRead })
  const valueOf = (key: string) => data?.settings.find((setting) => setting.key === key)?.value
  const cron = valueOf('backup.cron_schedule')
  const keep = valueOf('backup.keep')
  if (typeof cron !== 'string' || typeof keep !== 'number') return null
  return (
    <Section
      title={t('schedule.title')}
      text={`${rhythm(cron)}. ${t('schedule.keep', { count: keep })}`}
      actions={
        <Button component={AppLink} to={paths.serverSettings({ q: 'backup.' })} variant="default">
          {t('schedule.change')}
        </Button>
      }
    />
  )
}

interface RemoveProps {
  readonly backup: BackupDto
  readonly onClose: () => void
}

const Remove = ({ backup: { name, createdAt }, onClose }: RemoveProps): ReactNode => {
  const { t } = useTranslation('backups')
  const { moment } = useTimeText()
  const problemOf = useProblem()
  const remove = useChange(removeBackup, { invalidates: [listBackups] })
  const when = moment(createdAt)
  const confirm = (): void =>
    remove.mutate(
      { params: { name } },
      {
        onSuccess: () => {
          onClose()
          toast({ text: t('removed', { when }) })
        },
      },
    )
  return (
    <Confirm
      title={t('removeTitle', { when })}
      isOpen
      onClose={onClose}
      action={t('remove')}
      onConfirm={confirm}
      isPending={remove.isPending}
      problem={problemOf(remove.error)}
    >
      <p>{t('removeText')}</p>
    </Confirm>
  )
}
