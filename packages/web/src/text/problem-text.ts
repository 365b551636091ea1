import type { ProblemReason, ProblemValues, TaskFailure } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { ApiProblem, type ProblemCode } from '../api/call.ts'
import type { Problem } from '../ui/state/problem.tsx'

/** Every code has a sentence. Where there is a reason it says more; the server's own sentence is in English. */
const explainedCodes = [
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
  'validation_failed',
  'conflict',
  'method_not_allowed',
  'range_not_satisfiable',
  'too_slow',
  'worker_died',
  'fault',
] as const satisfies readonly (ProblemCode | TaskFailure['code'])[]

/** These say only that something is not right: what it is, the server says. */
const vague: readonly string[] = ['validation_failed', 'conflict', 'fault']

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
  'field_missing',
  'field_unknown',
  'value_unknown',
  'form_wrong',
  'email_wrong',
  'type_wrong',
  'characters_wrong',
  'number_low',
  'number_high',
  'text_short',
  'text_long',
  'items_few',
  'items_many',
  'said_twice',
  'text_empty',
  'gone_by_now',
  'language_unknown',
  'time_zone_unknown',
  'time_wrong',
  'isbn_wrong',
  'schedule_wrong',
  'pattern_wrong',
  'levels_wrong',
  'address_refused',
  'folder_unwritable',
] as const satisfies readonly ProblemReason[]

/** A server that is older than this application leaves some of them out. */
const unknownValues = {
  name: '',
  least: '',
  most: '',
  permission: '',
  path: '',
  other: '',
  plugin: '',
  users: '',
  message: '',
}

/** What is known of a failure, whether a call met with it or a task. */
interface Failed {
  readonly code: string
  readonly reason?: string | undefined
  readonly values?: ProblemValues | undefined
  readonly requestId?: string | undefined
}

/** A sentence for people: what went wrong, and what to do or what happens next. */
export const useFailureSentence = (): ((failed: Failed) => string) => {
  const { t } = useTranslation()
  return ({ code, reason, values, requestId }) => {
    const because = reasons.find((each) => each === reason)
    if (because !== undefined) return t(`problem.reason.${because}`, { ...unknownValues, ...values })
    return t(`problem.${explainedCodes.find((each) => each === code) ?? 'fault'}`, { requestId: requestId ?? '–' })
  }
}

export const useProblemText = (): ((error: unknown) => string) => {
  const sentence = useFailureSentence()
  return (error) => sentence(error instanceof ApiProblem ? error : { code: 'fault' })
}

/** The same with what the server said, where the sentence says less than that. */
export const useProblem = (): ((error: unknown) => Problem | undefined) => {
  const textOf = useProblemText()
  return (error) => {
    if (error == null) return undefined
    const isVague = !(error instanceof ApiProblem) || (error.reason === undefined && vague.includes(error.code))
    return { text: textOf(error), detail: isVague && error instanceof Error ? error.message : undefined }
  }
}
