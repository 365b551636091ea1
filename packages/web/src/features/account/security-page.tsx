import { changePassword, endSession, listSessions, type SessionDto } from '@carrel/api'
import { Badge, Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { deviceIcon } from '../../session/device-icon.ts'
import { deviceName } from '../../session/device-name.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { PasswordField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './account.module.css'
import { AccountPage } from './account-page.tsx'
import { SignIns } from './sign-ins.tsx'

export const SecurityPage = (): ReactNode => (
  <AccountPage>
    <PasswordForm />
    <Sessions />
    <SignIns />
  </AccountPage>
)

const PasswordForm = (): ReactNode => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const change = useChange(changePassword, {
    invalidates: [listSessions],
    onDone: () => {
      setCurrentPassword('')
      setNewPassword('')
      toast({ text: t('password.changed') })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ body: { currentPassword, newPassword } })
  }
  const isWrong = change.error instanceof ApiProblem && change.error.code === 'not_allowed'
  const problem = change.error ? (isWrong ? t('password.wrong') : textOf(change.error)) : undefined
  return (
    <Section title={t('password.title')} text={t('password.text')}>
      <Form onSubmit={submit} problem={problem}>
        <PasswordField
          label={t('password.current')}
          autoComplete="current-password"
          value={currentPassword}
          onChange={setCurrentPassword}
        />
        <PasswordField
          label={t('password.new')}
          description={t('password.hint')}
          autoComplete="new-password"
          value={newPassword}
          onChange={setNewPassword}
        />
        <div>
          <Button type="submit" loading={change.isPending}>
            {t('password.change')}
          </Button>
        </div>
      </Form>
    </Section>
  )
}

const Sessions = (): ReactNode => {
  const { t } = useTranslation('account')
  const { sessions } = useRead(listSessions, {})
  return (
    <Section title={t('sessions.title')} text={t('sessions.text')}>
      <Stack as="ul" gap={2} collapse>
        {sessions.map((session) => (
          <SessionRow key={session.id} {...session} />
        ))}
      </Stack>
    </Section>
  )
}

const SessionRow = ({ id, deviceName: given, userAgent, ip, lastUsedAt, current }: SessionDto): ReactNode => {
  const { t } = useTranslation('account')
  const { ago } = useTimeText()
  const textOf = useProblemText()
  const end = useChange(endSession, { invalidates: [listSessions] })
  const name = given ?? (userAgent === null ? t('sessions.unknown') : deviceName(userAgent))
  const finish = (): void =>
    end.mutate(
      { params: { id } },
      {
        onSuccess: () => toast({ text: t('sessions.ended', { name }) }),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
  return (
    <Row as="li" gap={3} rowGap={2} wrap box className={styles.row}>
      <Icon name={deviceIcon(userAgent)} />
      <Stack className={styles.rowText}>
        <span className={styles.rowTitle}>{name}</span>
        <Text as="span" quiet size={13}>
          {[t('sessions.used', { when: ago(lastUsedAt) }), ip].filter(Boolean).join(' · ')}
        </Text>
      </Stack>
      {current ? (
        <Badge variant="light">{t('sessions.current')}</Badge>
      ) : (
        <Button variant="default" size="compact-sm" loading={end.isPending} onClick={finish}>
          {t('sessions.end')}
        </Button>
      )}
    </Row>
  )
}
