import {
  createLibraryJob,
  type FieldGroup,
  fieldGroups,
  type LibraryJob,
  listLibraryJobs,
  type PluginAction,
  type RefreshConfig,
  updateLibraryJob,
} from '@carrel/api'
import { Button, Checkbox, NativeSelect, NumberInput, Select } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { RhythmFields } from '../../schedules/rhythm-fields.tsx'
import { type Rhythm, rhythmOf } from '../../schedules/rhythm.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Grid, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { useJobText } from './job-text.ts'
import styles from './library.module.css'

interface JobDialogProps {
  readonly libraryId: string
  readonly providers: readonly PluginAction[]
  /** Undefined: a new one. */
  readonly job: LibraryJob | undefined
  readonly onClose: () => void
}

interface Draft {
  readonly pluginId: string
  readonly name: string
  readonly cronSchedule: string
  readonly timezone: string
  readonly config: RefreshConfig
}

const everySunday = '0 4 * * 0'
const hourS = 3600
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone
const usual: RefreshConfig = {
  scope: 'series_only',
  fieldGroups: [],
  extraFields: [],
  skipRecentlySyncedWithinS: hourS,
}

const draftOf = (job: LibraryJob | undefined, providers: readonly PluginAction[]): Draft =>
  job === undefined
    ? {
        pluginId: providers[0]?.pluginId ?? '',
        name: '',
        cronSchedule: everySunday,
        timezone: ownZone,
        config: usual,
      }
    : { ...job, timezone: job.timezone ?? 'UTC' }

/** A job is made, or another one: who is asked, about what, and when. */
export const JobDialog = ({ libraryId, providers, job, onClose }: JobDialogProps): ReactNode => {
  const { t } = useTranslation('matching')
  const problemOf = useProblem()
  const [draft, setDraft] = useState(() => draftOf(job, providers))
  const invalidates = [listLibraryJobs]
  const create = useChange(createLibraryJob, { invalidates })
  const update = useChange(updateLibraryJob, { invalidates })
  const change = (next: Partial<Draft>): void => setDraft({ ...draft, ...next })
  const { pluginId, name, cronSchedule, timezone, config } = draft
  const saved = ({ name }: LibraryJob): void => {
    toast({ text: t('jobs.saved', { name }) })
    onClose()
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    const body = { ...(name.trim() !== '' && { name: name.trim() }), cronSchedule, timezone, config }
    if (job === undefined)
      create.mutate({ params: { id: libraryId }, body: { pluginId, ...body } }, { onSuccess: saved })
    else update.mutate({ params: { id: libraryId, jobId: job.id }, body }, { onSuccess: saved })
  }
  const problem = create.error ?? update.error
  return (
    <Dialog title={job === undefined ? t('jobs.new') : t('jobs.editTitle')} isOpen onClose={onClose} size="lg">
      <Form onSubmit={save} problem={problemOf(problem)}>
        {job === undefined ? (
          <NativeSelect
            label={t('find.plugin')}
            value={pluginId}
            data={providers.map((each) => ({ value: each.pluginId, label: each.pluginDisplayName }))}
            onChange={({ currentTarget }) => change({ pluginId: currentTarget.value })}
          />
        ) : null}
        <TextField
          label={t('jobs.name')}
          placeholder={providers.find((each) => each.pluginId === pluginId)?.pluginDisplayName ?? ''}
          maxLength={100}
          required={job !== undefined}
          value={name}
          onChange={(next) => change({ name: next })}
        />
        <What config={config} onChange={(next) => change({ config: next })} />
        <When
          cron={cronSchedule}
          zone={timezone}
          onCron={(cron) => change({ cronSchedule: cron })}
          onZone={(zone) => change({ timezone: zone })}
        />
        <Row gap={2} align="stretch" justify="end" wrap touch="wide">
          <Button variant="default" onClick={onClose}>
            {t('jobs.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {t('jobs.save')}
          </Button>
        </Row>
      </Form>
    </Dialog>
  )
}

const scopes = ['series_only', 'books_only', 'series_and_books'] as const

interface WhatProps {
  readonly config: RefreshConfig
  readonly onChange: (config: RefreshConfig) => void
}

/** The user chooses here which entries, and which of their fields, may change. */
const What = ({ config, onChange }: WhatProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { scope, fieldGroups: chosen, extraFields, skipRecentlySyncedWithinS } = config
  const isAll = chosen.length + extraFields.length === 0
  const choose = (group: FieldGroup, isChosen: boolean): void =>
    onChange({
      ...config,
      fieldGroups: fieldGroups.filter((each) => (each === group ? isChosen : chosen.includes(each))),
    })
  return (
    <>
      <NativeSelect
        label={t('scope.title')}
        value={scope}
        data={scopes.map((value) => ({ value, label: t(`scope.${value}`) }))}
        onChange={({ currentTarget }) =>
          onChange({ ...config, scope: scopes.find((each) => each === currentTarget.value) ?? scope })
        }
      />
      <Stack as="fieldset" gap={2} className={styles.group}>
        <legend>{t('group.title')}</legend>
        <Text quiet>{isAll ? t('group.all') : t('group.some')}</Text>
        <Grid gap={3} rowGap={2} min={11} className={styles.groups}>
          {fieldGroups.map((group) => (
            <Checkbox
              key={group}
              label={t(`group.${group}`)}
              checked={chosen.includes(group)}
              onChange={({ currentTarget }) => choose(group, currentTarget.checked)}
            />
          ))}
        </Grid>
      </Stack>
      <NumberInput
        label={t('jobs.skip')}
        description={t('jobs.skipText')}
        min={0}
        max={8760}
        clampBehavior="strict"
        decimalScale={2}
        value={skipRecentlySyncedWithinS / hourS}
        onChange={(hours) => onChange({ ...config, skipRecentlySyncedWithinS: Math.round(Number(hours) * hourS) })}
      />
    </>
  )
}

const kinds = ['daily', 'weekly', 'custom'] as const
const everyNight: Rhythm = { kind: 'daily', minute: 0, hour: 4 }
const zones = Intl.supportedValuesOf('timeZone')

interface WhenProps {
  readonly cron: string
  readonly zone: string
  readonly onCron: (cron: string) => void
  readonly onZone: (zone: string) => void
}

const When = ({ cron, zone, onCron, onZone }: WhenProps): ReactNode => {
  const { t } = useTranslation('matching')
  const text = useJobText()
  const names = {
    often: { label: t('when.often') },
    minute: {},
    weekday: { label: t('when.weekday') },
    time: { label: t('when.time') },
    cron: { label: t('when.cron'), description: t('when.cronText') },
  }
  return (
    <Stack as="fieldset" gap={2} className={styles.group}>
      <legend>{t('when.title')}</legend>
      <Grid gap={3} min={11} stretch align="end">
        <RhythmFields
          cron={cron}
          kinds={kinds.map((value) => ({ value, label: t(`when.kind.${value}`) }))}
          first={everyNight}
          names={names}
          onChange={(next) => onCron(next ?? cron)}
        />
        {rhythmOf(cron).kind === 'hourly' ? null : (
          <Select
            label={t('when.zone')}
            searchable
            allowDeselect={false}
            limit={100}
            value={zone}
            data={zones.includes(zone) ? zones : [zone, ...zones]}
            onChange={(next) => onZone(next ?? zone)}
          />
        )}
      </Grid>
      <Text quiet role="status">
        {text.when({ cronSchedule: cron, timezone: zone })}
      </Text>
    </Stack>
  )
}
