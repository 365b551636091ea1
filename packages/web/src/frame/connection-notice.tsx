import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { currentConnection, onConnectionChange, tryNow } from '../api/connection.ts'
import styles from './connection-notice.module.css'
import { Row } from '../ui/layout/layout.tsx'
import { Notice } from '../ui/state/state.tsx'

/** Says that the server does not answer, and when it is tried again. */
export const ConnectionNotice = (): ReactNode => {
  const connection = useSyncExternalStore(onConnectionChange, currentConnection)
  return connection.kind === 'lost' ? <Lost nextTryAt={connection.nextTryAt} /> : null
}

const Lost = ({ nextTryAt }: { readonly nextTryAt: number }): ReactNode => {
  const { t } = useTranslation()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((nextTryAt - now) / 1000)
  return (
    <div className={styles.notice}>
      <Notice kind="warning">
        <Row gap={3} align="start" justify="between">
          <span>{seconds > 0 ? t('connection.lost', { count: seconds }) : t('connection.trying')}</span>
          <Button variant="default" size="compact-sm" className={styles.again ?? ''} onClick={tryNow}>
            {t('connection.tryNow')}
          </Button>
        </Row>
      </Notice>
    </div>
  )
}
