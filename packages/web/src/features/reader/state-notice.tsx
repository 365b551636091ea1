import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConnectionNotice } from '../../connection-notice.tsx'
import { goTo } from '../../go-to.ts'
import { paths } from '../../paths.ts'
import { Notice } from '../../ui/state.tsx'
import type { SendState } from './use-measured.ts'
import styles from './state-notice.module.css'

interface StateNoticeProps {
  readonly sent: SendState
  /** Where to go on after the sign-in. */
  readonly here: string
}

/** When what is read cannot be told to the server: that it is kept, and what happens next. */
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
