import { downloadMetadata, languageNames, readMe, readProfile, updateProfile, type User } from '@carrel/api'
import { Button, Select } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { etagOf, useChange, useRead } from '../../api/queries.ts'
import { speak } from '../../text/language.ts'
import { useProblem, useProblemText } from '../../text/problem-text.ts'
import { useSayFailure } from '../../text/say-failure.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { AccountPage } from './account-page.tsx'
import { SchemeSection } from './scheme-section.tsx'

export const ProfilePage = (): ReactNode => (
  <AccountPage>
    <SchemeSection />
    <ProfileSection />
  </AccountPage>
)

const timeZones = Intl.supportedValuesOf('timeZone')

type Profile = Pick<User, 'email' | 'language' | 'timeZone' | 'downloadMetadata'>

/** It saves at once what is chosen, and offers to put it back. */
const useSave = () => {
  const { t } = useTranslation('account')
  const profile = useRead(readProfile, {})
  const change = useChange(updateProfile, {
    invalidates: [readProfile, readMe],
    onDone: ({ language }) => speak(language),
  })
  const sayFailure = useSayFailure()
  const save = (patch: Partial<Profile>, onSaved?: () => void): void => {
    const before = Object.fromEntries(Object.keys(patch).map((name) => [name, profile[name as keyof Profile]]))
    const undo = (): void => change.mutate({ body: before }, { onError: sayFailure })
    const onSuccess = (): void => {
      onSaved?.()
      toast({ text: t('saved'), undo })
    }
    change.mutate({ body: patch, ifMatch: etagOf(readProfile, {}) }, { onSuccess })
  }
  return { save, error: change.error, isSaving: change.isPending }
}

const ProfileSection = (): ReactNode => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const { language, timeZone, downloadMetadata: ofDownloads } = useRead(readProfile, {})
  const { save, error } = useSave()
  const zones = timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones]
  const ofBrowser = { value: '', label: t('profile.languageOfBrowser') }
  return (
    <Section title={t('profile.title')}>
      {error ? <Notice kind="danger">{textOf(error)}</Notice> : null}
      <Select
        label={t('profile.language')}
        data={[ofBrowser, ...Object.entries(languageNames).map(([value, label]) => ({ value, label }))]}
        renderOption={({ option }) => <span lang={option.value === '' ? undefined : option.value}>{option.label}</span>}
        value={language ?? ''}
        allowDeselect={false}
        onChange={(value) => save({ language: value === '' ? null : value })}
      />
      <Select
        label={t('profile.timeZone')}
        description={t('profile.timeZoneHint')}
        data={zones}
        value={timeZone}
        searchable
        allowDeselect={false}
        limit={50}
        nothingFoundMessage={t('profile.noTimeZone')}
        onChange={(value) => value !== null && save({ timeZone: value })}
      />
      <Select
        label={t('profile.downloads')}
        description={t('profile.downloadsHint')}
        data={downloadMetadata.map((value) => ({ value, label: t(`profile.${value}`) }))}
        value={ofDownloads}
        allowDeselect={false}
        onChange={(value) => value !== null && save({ downloadMetadata: value })}
      />
      <EmailForm />
    </Section>
  )
}

const EmailForm = (): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const { email } = useRead(readProfile, {})
  const { save, error, isSaving } = useSave()
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? email ?? ''
  const newEmail = shown.trim() === '' ? null : shown.trim()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save({ email: newEmail }, () => setTyped(undefined))
  }
  return (
    <Form onSubmit={submit} problem={problemOf(error)}>
      <TextField
        label={t('profile.email')}
        description={t('profile.emailHint')}
        type="email"
        autoComplete="email"
        maxLength={254}
        value={shown}
        onChange={setTyped}
      />
      <div>
        <Button type="submit" variant="default" loading={isSaving} disabled={newEmail === email}>
          {t('profile.save')}
        </Button>
      </div>
    </Form>
  )
}
