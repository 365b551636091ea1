import type { ProblemReason } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../api/call.ts'

/** Codes that say enough by themselves. Of the others the reason says more; the server's own sentence is in English. */
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
  'not_allowed',
  'already_exists',
  'malformed_request',
  'unsupported_media_type',
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
  'name_taken',
  'user_taken',
  'limit_reached',
  'too_many',
  'running_already',
  'not_running',
  'last_administrator',
  'set_up_already',
  'setup_token_needed',
  'permission_missing',
  'permission_foreign',
  'may_more',
  'key_refused',
  'password_wrong',
  'password_common',
  'path_not_absolute',
  'path_missing',
  'path_no_folder',
  'path_unreadable',
  'path_not_allowed',
  'path_of_data',
  'paths_overlap',
  'preview_needed',
  'plugin_off',
  'plugin_unfit',
  'plugin_failed',
  'plugin_in_use',
  'connect_first',
  'sign_in_not_set_up',
  'address_unknown',
  'time_to_come',
  'begun_after_end',
  'no_list',
] as const satisfies readonly ProblemReason[]

/** A server that is older than this application leaves some of them out. */
const unknownValues = { name: '', most: '', permission: '', path: '', other: '', plugin: '', users: '', message: '' }

/** A sentence for people: what went wrong, and what to do or what happens next. */
export const useProblemText = (): ((error: unknown) => string) => {
  const { t } = useTranslation()
  return (error) => {
    if (!(error instanceof ApiProblem))
      return t('problem.other', { message: error instanceof Error ? error.message : '' })
    const reason = reasons.find((each) => each === error.reason)
    if (reason !== undefined) return t(`problem.reason.${reason}`, { ...unknownValues, ...error.values })
    const code = known.find((each) => each === error.code)
    if (code !== undefined) return t(`problem.${code}`, { requestId: error.requestId ?? '–' })
    const details = error.details.map(({ message }) => message).join(' ')
    return t('problem.other', { message: details === '' ? error.message : details })
  }
}
