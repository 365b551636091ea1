import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConnectionNotice } from '../../../frame/connection-notice.tsx'
import { goTo } from '../../../navigation/go-to.ts'
import { paths } from '../../../navigation/paths.ts'
import { Notice } from '../../../ui/state/state.tsx'
import type { SendState } from './use-measured.ts'
import styles from './state-notice.module.css'

interface StateNoticeProps {
  readonly sent: SendState
  /** The sign-in leads back to this address. */
  readonly here: string
}

/** When the position cannot be sent to the server, the notice says that it is kept, and what happens next. */
export const StateNotice = ({ sent, here }: StateNoticeProps): ReactNode => {
  const { t } = useTranslation('reader')
  const router = useRouter()
  const signIn = (): void => goTo(router, paths.signIn({ from: here }), { replace: true })
  return (
    <div className={styles.notice}>
      <ConnectionNotice />
      {sent === 'signed-out' ? (
        <Notice kind="warning">
          {t('signedOut')}{' '}
          <Button variant="default" size="compact-sm" onClick={signIn}>
            {t('signIn')}
          </Button>
        </Notice>
      ) : null}
    </div>
  )
}
