import { type Static, Type } from 'typebox'
import { record } from './schema.ts'

/** Every code a reply can carry, its status, and what it tells the caller. Codes are never reused; docs/errors.md repeats this table. */
export const errorTable = {
  validation_failed: {
    status: 400,
    meaning: 'A parameter or a field of the body is not what the endpoint takes; details names it.',
  },
  malformed_request: {
    status: 400,
    meaning: 'The request could not be read: broken JSON, a broken address, a broken header.',
  },
  not_authenticated: { status: 401, meaning: 'No valid credentials were sent.' },
  not_allowed: { status: 403, meaning: 'You are known, but may not do this.' },
  not_found: { status: 404, meaning: 'It does not exist, or not for you.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The address exists, but not with this method; Allow lists those it has.',
  },
  already_exists: { status: 409, meaning: 'Something with this name exists already.' },
  conflict: { status: 409, meaning: 'The present state does not permit this.' },
  precondition_failed: { status: 412, meaning: 'The record changed since you read it; read it again.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than this endpoint takes.' },
  unsupported_media_type: { status: 415, meaning: 'The body is of a type this endpoint does not take.' },
  range_not_satisfiable: { status: 416, meaning: 'The requested range lies outside the file.' },
  damaged_file: { status: 422, meaning: 'The file is damaged and this part of it cannot be read.' },
  rate_limit_exceeded: { status: 429, meaning: 'Too many requests; Retry-After says how long to wait.' },
  internal_error: { status: 500, meaning: 'A fault on our side; the log has the details under the request id.' },
  unavailable: {
    status: 503,
    meaning: 'Something the answer needs is busy or away for now; Retry-After says when to try again.',
  },
  library_unavailable: { status: 503, meaning: 'The storage of this library does not answer for now.' },
  disk_full: { status: 507, meaning: 'The disk of the data directory is full; reading goes on.' },
  read_only: {
    status: 507,
    meaning: 'The database is damaged: what would be written is refused; what can still be read is read.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof errorTable
export const errorCodes = Object.keys(errorTable) as ErrorCode[]

/** Why books and series that somebody wants to put together or apart stay as they are: a `conflict` with a reason of its own. */
export const conflictReasons = {
  books_gone: 'Some of the books are gone by now.',
  series_gone: 'Some of the series are gone by now.',
  other_library: 'They are of different libraries.',
  tags_differ: 'Their sharing tags differ, and somebody sees series by such a tag alone.',
  ratings_differ: 'Some have an age rating and others have none, and somebody sees series up to an age.',
  sight_differs: 'Somebody sees some of the books and not the others.',
  undone_already: 'It has been taken back already.',
  merged_since: 'Something else has been merged into the same one since.',
  place_taken: 'Another series has come in the place of one that would come back.',
} as const satisfies Record<string, string>

export type ConflictReason = keyof typeof conflictReasons

/** Everything else a program can say in words of its own; the names of its `values` stand in braces. */
const otherReasons = {
  name_taken: 'Something is named {name} already.',
  user_taken: 'A user has this name or this e-mail address already.',
  limit_reached: 'There are {most} already, and may not be more.',
  too_many: 'More than {most} at once.',
  running_already: 'It is running already.',
  not_running: 'It is not running, or not any more.',
  last_administrator: 'It is the last administrator.',
  set_up_already: 'This server has been set up already.',
  setup_token_needed: 'Setting up needs the setup token.',
  permission_missing: 'This needs the permission {permission}.',
  permission_foreign: 'Nobody gives the permission {permission} who does not have it.',
  may_more: 'This user may do more than you.',
  key_refused: 'An API key cannot do this.',
  password_wrong: 'The current password is not right.',
  password_common: 'This is one of the commonest passwords.',
  path_not_absolute: '{path} does not begin with a slash.',
  path_missing: '{path} does not exist on the server.',
  path_no_folder: '{path} is not a folder.',
  path_unreadable: 'Carrel may not read {path}.',
  path_not_allowed: 'CARREL_LIBRARY_ROOTS names no folder that {path} is in.',
  path_of_data: '{path} is, or holds, the data directory.',
  paths_overlap: '{path} and {other} are one within the other.',
  preview_needed: 'Another grouping moves books: confirm a preview of it.',
  plugin_off: '{plugin} is switched off.',
  plugin_unfit: '{plugin} is not made, not set up or not allowed for this.',
  plugin_failed: '{plugin} has no answer, for the reason {code}; it said {message}.',
  plugin_in_use: '{users} run it.',
  connect_first: 'The plugin needs your account elsewhere: connect it first.',
  sign_in_not_set_up: 'Signing in elsewhere has not been set up for this plugin.',
  address_unknown: 'The server does not know its own address: CARREL_PUBLIC_URL is not set.',
  time_to_come: 'This is still to come.',
  begun_after_end: 'It begins after its end.',
  no_list: 'There is nothing in this file that could be read.',
  field_missing: 'Something that is needed has not been given.',
  field_unknown: 'There is no such field.',
  value_unknown: 'It is none of the values that this may have.',
  form_wrong: 'It is not of the form that this has.',
  email_wrong: 'It is no e-mail address.',
  type_wrong: 'It is of another kind than this takes.',
  characters_wrong: 'It has characters that it may not have.',
  number_low: 'The number must be at least {least}.',
  number_high: 'The number must be at most {most}.',
  text_short: 'The text must have at least {least} characters.',
  text_long: 'The text may have at most {most} characters.',
  items_few: 'There must be at least {least} of them.',
  items_many: 'There may be at most {most} of them.',
  said_twice: 'Something is in it twice.',
  text_empty: 'There is nothing in it but space.',
  gone_by_now: 'Something that was chosen does not exist, or not any more.',
  language_unknown: 'It is no tag of a language, such as en or pt-BR.',
  time_zone_unknown: 'It is no time zone, such as Europe/Berlin.',
  time_wrong: 'It is no time.',
  isbn_wrong: 'It is no ISBN of 10 or 13 digits.',
  schedule_wrong: 'It is no schedule that could be kept.',
  pattern_wrong: 'It is no pattern that could be used.',
  levels_wrong: 'Exactly one of the levels is the series, and none but what is skipped is there twice.',
  address_refused: 'The server may not, or cannot, send to this address.',
  folder_unwritable: 'Nothing can be written to {path}.',
} as const satisfies Record<string, string>

export const problemReasons = { ...conflictReasons, ...otherReasons } as const

export type ProblemReason = keyof typeof problemReasons

export type ProblemValues = Readonly<Record<string, string | number>>

export const ErrorReply = record(
  {
    error: Type.Enum(errorCodes.filter((code) => code !== 'rate_limit_exceeded')),
    message: Type.String({
      description:
        'A sentence that says what to do: in English, and at doors of other applications in the language of the user.',
    }),
    reason: Type.Optional(
      Type.Enum(Object.keys(problemReasons) as ProblemReason[], {
        description: 'What stands in the way, for programs that say it in words of their own.',
      }),
    ),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: 'Names and numbers that belong into the sentence of that reason.',
      }),
    ),
    details: Type.Optional(
      Type.Array(
        record({
          path: Type.String({ description: 'The name of the parameter, or the JSON pointer into the body.' }),
          message: Type.String(),
        }),
      ),
    ),
    requestId: Type.String(),
  },
  {
    title: 'Error',
    examples: [
      { error: 'not_found', message: 'There is no such user.', requestId: '019aa3b2-6c7e-7000-8000-000000000001' },
    ],
  },
)
export type ErrorReply = Static<typeof ErrorReply>

/** The one error whose shape the specification fixes. */
export const RateLimitReply = record(
  {
    error: Type.Literal('rate_limit_exceeded'),
    message: Type.String(),
    retry_after: Type.Integer({ minimum: 1, description: 'Seconds to wait.' }),
  },
  {
    title: 'RateLimitExceeded',
    examples: [{ error: 'rate_limit_exceeded', message: 'Too many requests. Try again in 1 second.', retry_after: 1 }],
  },
)
export type RateLimitReply = Static<typeof RateLimitReply>
