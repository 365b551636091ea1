import type { SignInActivityDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceIcon } from './device-icon.ts'
import { deviceName } from './device-name.ts'
import { useTimeText } from '../text/time-text.ts'
import { Mark } from '../ui/state/mark.tsx'
import { ListRow } from '../ui/row-list.tsx'

export const signInsOnPage = 25

interface SignInRowProps {
  readonly activity: SignInActivityDto
  /** The name is shown where the list covers more than one user. */
  readonly who?: ReactNode
}

/** A sign-in, or a try at one: when, with what, and where from. */
export const SignInRow = ({ activity, who }: SignInRowProps): ReactNode => {
  const { t } = useTranslation()
  const { moment } = useTimeText()
  const wayText = useWayText()
  const { success, userAgent, ip, lastAt } = activity
  const client = userAgent === null ? t('signIn.unknown') : deviceName(userAgent)
  return (
    <ListRow
      icon={success ? deviceIcon(userAgent) : 'warning'}
      title={who ?? client}
      mark={success ? null : <Mark kind="danger">{t('signIn.failed')}</Mark>}
      text={[moment(lastAt), wayText(activity), who === undefined ? null : client, ip].filter(Boolean).join(' · ')}
    />
  )
}

const useWayText = () => {
  const { t } = useTranslation()
  return ({ source, apiKeyName }: SignInActivityDto): string => {
    if (source === 'api_key')
      return apiKeyName === null ? t('signIn.by.key') : t('signIn.by.namedKey', { name: apiKeyName })
    if (source === 'password') return t('signIn.by.password')
    if (source === 'remember_me') return t('signIn.by.remembered')
    return t('signIn.by.provider', { name: source.replace(/^oidc:/, '') })
  }
}
