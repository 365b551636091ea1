import { endSessionsOfUser, listSessionsOfUser, type UserDto } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { deviceIcon } from '../../session/device-icon.ts'
import { deviceName } from '../../session/device-name.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { toast } from '../../ui/state/toasts.tsx'

/** It lists the sessions of a user, and can end them all: for a lost phone, or somebody who should not be signed in. */
export const Sessions = ({ user: { id, username } }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const { ago } = useTimeText()
  const textOf = useProblemText()
  const { data } = useLater(listSessionsOfUser, { params: { id } })
  const end = useChange(endSessionsOfUser, { invalidates: [listSessionsOfUser] })
  if (data === undefined) return null
  const endAll = (): void =>
    end.mutate(
      { params: { id } },
      {
        onSuccess: () => toast({ text: t('sessions.ended', { name: username }) }),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
  return (
    <Section
      title={t('sessions.title')}
      text={data.sessions.length === 0 ? t('sessions.none', { name: username }) : t('sessions.text')}
      actions={
        data.sessions.length === 0 ? undefined : (
          <Button variant="default" loading={end.isPending} onClick={endAll}>
            {t('sessions.endAll')}
          </Button>
        )
      }
    >
      <RowList label={t('sessions.title')}>
        {data.sessions.map((session) => (
          <ListRow
            key={session.id}
            icon={deviceIcon(session.userAgent)}
            title={
              session.deviceName ?? (session.userAgent === null ? t('sessions.unknown') : deviceName(session.userAgent))
            }
            text={[t('sessions.used', { when: ago(session.lastUsedAt) }), session.ip].filter(Boolean).join(' · ')}
          />
        ))}
      </RowList>
    </Section>
  )
}
