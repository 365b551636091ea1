import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../api/call.ts'

/** Codes that say enough by themselves; of the others the server's own sentence says more. */
const known = [
  'not_authenticated',
  'not_found',
  'precondition_failed',
  'rate_limit_exceeded',
  'unavailable',
  'library_unavailable',
  'disk_full',
  'read_only',
  'payload_too_large',
  'damaged_file',
  'internal_error',
  'no_connection',
] as const

/** A sentence for people: what went wrong, and what to do or what happens next. */
export const useProblemText = (): ((error: unknown) => string) => {
  const { t } = useTranslation()
  return (error) => {
    if (!(error instanceof ApiProblem))
      return t('problem.other', { message: error instanceof Error ? error.message : '' })
    const code = known.find((each) => each === error.code)
    if (code !== undefined) return t(`problem.${code}`, { requestId: error.requestId ?? '–' })
    const details = error.details.map(({ message }) => message).join(' ')
    return t('problem.other', { message: details === '' ? error.message : details })
  }
}
