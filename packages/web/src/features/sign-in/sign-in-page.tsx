import {
  isLanguage,
  languageNames,
  listOidcProviders,
  login,
  type OidcFailure,
  readMe,
  redeemOneTimeLink,
} from '@carrel/api'
import { Button, Divider, NativeSelect } from '@mantine/core'
import { getRouteApi, useRouter, useRouterState } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { ApiProblem } from '../../api/call.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { deviceName } from '../../session/device-name.ts'
import { goTo } from '../../navigation/go-to.ts'
import { ownAddress } from '../../navigation/own-address.ts'
import { speakHere } from '../../text/language.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { PasswordField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { NarrowPage } from '../../ui/layout/narrow-page.tsx'
import { ReadingRoom } from '../../ui/state/reading-room.tsx'
import { Notice } from '../../ui/state/state.tsx'

const route = getRouteApi('/sign-in')

export const SignInPage = (): ReactNode => {
  const { t } = useTranslation('sign-in')
  const { from, error } = route.useSearch()
  const { enabled, providers } = useRead(listOidcProviders, {})
  // Browsers send nobody what stands behind the hash: the link is in no log.
  const link = useRouterState({ select: ({ location }) => /^link=(.+)$/.exec(location.hash)?.[1] })
  if (link !== undefined)
    return (
      <NarrowPage title={t('choose.title')} drawing={<ReadingRoom />}>
        <ChoosePassword link={link} />
        <LanguageField />
      </NarrowPage>
    )
  return (
    <NarrowPage title={t('title')} drawing={<ReadingRoom />}>
      {error === undefined ? null : <ProviderFailed error={error} />}
      {from === undefined || error !== undefined ? null : <p>{t('comeBack')}</p>}
      <PasswordForm from={from} />
      {enabled && providers.length > 0 ? <Providers providers={providers} from={from} /> : null}
      <LanguageField />
    </NarrowPage>
  )
}

/** Who has come from another server, or has forgotten the password, chooses one and is signed in with it. */
const ChoosePassword = ({ link }: { readonly link: string }): ReactNode => {
  const { t } = useTranslation('sign-in')
  const router = useRouter()
  const textOf = useProblemText()
  const [password, setPassword] = useState('')
  const signIn = useChange(login, {
    invalidates: [readMe],
    onDone: () => goTo(router, ownAddress(undefined), { replace: true }),
  })
  const enter = ({ username }: { readonly username: string }): void =>
    signIn.mutate({ body: { username, password, deviceName: deviceName() } })
  const choose = useChange(redeemOneTimeLink, { onDone: enter })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // A link serves once: where only the signing in has failed, that is tried again.
    if (choose.data) enter(choose.data)
    else choose.mutate({ body: { token: link, password } })
  }
  const isWorn = choose.error instanceof ApiProblem && choose.error.code === 'not_allowed'
  const error = choose.error ?? signIn.error
  return (
    <Form onSubmit={submit} problem={isWorn ? t('choose.worn') : error ? textOf(error) : undefined}>
      <p>{t('choose.text')}</p>
      <PasswordField
        label={t('choose.password')}
        description={t('choose.hint')}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" fullWidth loading={choose.isPending || signIn.isPending}>
        {t('choose.choose')}
      </Button>
    </Form>
  )
}

const PasswordForm = ({ from }: { readonly from: string | undefined }): ReactNode => {
  const { t } = useTranslation('sign-in')
  const router = useRouter()
  const textOf = useProblemText()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useChange(login, {
    invalidates: [readMe],
    onDone: () => goTo(router, ownAddress(from), { replace: true }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    signIn.mutate({ body: { username, password, deviceName: deviceName() } })
  }
  const isWrong = signIn.error instanceof ApiProblem && signIn.error.code === 'not_authenticated'
  const problem = signIn.error ? (isWrong ? t('wrong') : textOf(signIn.error)) : undefined
  return (
    <Form onSubmit={submit} problem={problem}>
      <TextField
        label={t('username')}
        autoComplete="username"
        autoCapitalize="none"
        required
        value={username}
        onChange={setUsername}
      />
      <PasswordField label={t('password')} autoComplete="current-password" value={password} onChange={setPassword} />
      <Button type="submit" fullWidth loading={signIn.isPending}>
        {t('signIn')}
      </Button>
    </Form>
  )
}

interface ProvidersProps {
  readonly providers: readonly { readonly name: string; readonly displayName: string; readonly loginUrl: string }[]
  readonly from: string | undefined
}

/** Links, not calls: the browser goes to the provider and comes back with the cookie. */
const Providers = ({ providers, from }: ProvidersProps): ReactNode => {
  const { t } = useTranslation('sign-in')
  const returnTo = new URLSearchParams({ returnTo: ownAddress(from) }).toString()
  return (
    <>
      <Divider label={t('or')} />
      {providers.map(({ name, displayName, loginUrl }) => (
        <Button key={name} component="a" href={`${basePath}${loginUrl}?${returnTo}`} variant="default" fullWidth>
          {t('signInThrough', { provider: displayName })}
        </Button>
      ))}
    </>
  )
}

/** Whoever cannot read this page finds their language in its own words. The native element shows them as the system does. */
const LanguageField = (): ReactNode => {
  const { t, i18n } = useTranslation('sign-in')
  return (
    <NativeSelect
      label={t('language')}
      value={i18n.resolvedLanguage}
      onChange={({ target: { value } }) => void (isLanguage(value) && speakHere(value))}
    >
      {Object.entries(languageNames).map(([language, name]) => (
        <option key={language} value={language} lang={language}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}

/** The list holds all known failures, so that no other word of the address is ever shown. */
const failures: Readonly<Record<OidcFailure, true>> = {
  oidc_denied: true,
  oidc_expired: true,
  oidc_failed: true,
  oidc_inactive: true,
  oidc_no_account: true,
  oidc_not_in_group: true,
  oidc_unavailable: true,
}

const isFailure = (word: string): word is OidcFailure => Object.hasOwn(failures, word)

const ProviderFailed = ({ error }: { readonly error: string }): ReactNode => {
  const { t } = useTranslation('sign-in')
  return <Notice kind="danger">{t(`failed.${isFailure(error) ? error : 'oidc_failed'}`)}</Notice>
}
