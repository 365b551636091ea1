import { readServerProblems, type ServerProblem } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../api/queries.ts'
import { useMay } from '../session/me.ts'
import styles from './server-problems.module.css'
import { useTimeText } from '../text/time-text.ts'
import { Stack } from '../ui/layout/layout.tsx'
import { useIsPainted } from '../ui/state/first-paint.ts'
import { Notice } from '../ui/state/state.tsx'

/** Events say so at once; this is for when the stream of them is away. */
const checkEveryMs = 60_000
const none: readonly ServerProblem[] = []

/** The problems are shown to those who can do something about them. */
export const useServerProblems = (): readonly ServerProblem[] => {
  const isAdministrator = useMay('system:admin')
  const isPainted = useIsPainted()
  const { data } = useLater(readServerProblems, {}, { enabled: isAdministrator && isPainted, everyMs: checkEveryMs })
  return data?.problems ?? none
}

/** The message stands above every page as long as the problem lasts. */
export const ServerProblems = (): ReactNode => {
  const problems = useServerProblems()
  if (problems.length === 0) return null
  return (
    <Stack gap={2} className={styles.problems}>
      {problems.map((problem) => (
        <Notice key={problem.id} kind="danger">
          <Problem problem={problem} />
        </Notice>
      ))}
    </Stack>
  )
}

const Problem = ({ problem: { code, path, since, backup } }: { readonly problem: ServerProblem }): ReactNode => {
  const { t } = useTranslation()
  const { moment } = useTimeText()
  const values = { path, since: moment(since) }
  if (code === 'disk_full') return <p>{t('serverProblem.disk_full', values)}</p>
  return (
    <>
      <p>{t('serverProblem.database_damaged', values)}</p>
      <p>
        {t('serverProblem.restore')} <code dir="ltr">carrel restore {backup ?? 'FILE'}</code>
      </p>
    </>
  )
}
