import type { ConflictReason } from '@carrel/api'
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

/** A newer server may know more reasons than this application. */
const reasons = [
  'books_gone',
  'series_gone',
  'other_library',
  'tags_differ',
  'ratings_differ',
  'sight_differs',
  'undone_already',
  'merged_since',
  'place_taken',
] as const satisfies readonly ConflictReason[]

/** A sentence for people: what went wrong, and what to do or what happens next. */
export const useProblemText = (): ((error: unknown) => string) => {
  const { t } = useTranslation()
  return (error) => {
    if (!(error instanceof ApiProblem))
      return t('problem.other', { message: error instanceof Error ? error.message : '' })
    const code = known.find((each) => each === error.code)
    if (code !== undefined) return t(`problem.${code}`, { requestId: error.requestId ?? '–' })
    const reason = reasons.find((each) => each === error.reason)
    if (reason !== undefined) return t(`problem.reason.${reason}`)
    const details = error.details.map(({ message }) => message).join(' ')
    return t('problem.other', { message: details === '' ? error.message : details })
  }
}
