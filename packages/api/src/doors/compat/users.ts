import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Nullable, OneOf, record } from '../../schema.ts'
import { byCompatId, CompatId, compatPageOf, compatPaging, CompatTime, Repeated } from './page.ts'
import { compat, exampleId, exampleTime } from './shared.ts'

const Text = Type.String({ maxLength: 1024 })
const Texts = Type.Array(Text, { maxItems: 1000 })

const AgeRestriction = record(
  { age: Type.Integer(), restriction: OneOf(['ALLOW_ONLY', 'EXCLUDE']) },
  { title: 'CompatAgeRestriction' },
)

const CompatUser = record(
  {
    id: Type.String(),
    email: Type.String(),
    roles: Texts,
    sharedAllLibraries: Type.Boolean(),
    sharedLibrariesIds: Texts,
    labelsAllow: Texts,
    labelsExclude: Texts,
    ageRestriction: Nullable(AgeRestriction),
  },
  { title: 'CompatUser' },
)
export type CompatUser = Static<typeof CompatUser>

const exampleUser: CompatUser = {
  id: exampleId,
  email: 'ana',
  roles: ['USER', 'FILE_DOWNLOAD', 'PAGE_STREAMING'],
  sharedAllLibraries: true,
  sharedLibrariesIds: [],
  labelsAllow: [],
  labelsExclude: [],
  ageRestriction: null,
}

export const readCompatMe = endpoint('GET /{prefix}/api/v2/users/me', {
  ...compat,
  summary: 'Who you are, for apps made for Komga',
  description:
    'Signing in with a password or a key answers with a session: in cookies, or in `X-Auth-Token` for whoever sends that header, even empty. With `remember-me=true` it comes with a cookie that lasts a year.',
  access: 'signed-in',
  query: Type.Object({ 'remember-me': Type.Optional(Repeated) }),
  reply: CompatUser,
  example: { reply: exampleUser },
})

const logout = {
  ...compat,
  summary: 'Sign out',
  description: 'Ends the sessions the request carries.',
  access: 'optional',
} as const
export const compatLogout = endpoint('POST /{prefix}/api/logout', logout)
export const compatLogoutByLink = endpoint('GET /{prefix}/api/logout', logout)

export const compatSetCookie = endpoint('GET /{prefix}/api/v1/login/set-cookie', {
  ...compat,
  summary: 'Swap a session in `X-Auth-Token` for its cookie',
  access: 'signed-in',
})

export const readCompatProviders = endpoint('GET /{prefix}/api/v1/oauth2/providers', {
  ...compat,
  summary: 'Other ways to sign in: none for these apps',
  access: 'open',
  reply: Type.Array(record({ name: Type.String(), registrationId: Type.String() })),
  example: { reply: [] },
})

const CompatApiKey = record(
  {
    id: Type.String(),
    userId: Type.String(),
    key: Type.String(),
    comment: Type.String(),
    createdDate: CompatTime,
    lastModifiedDate: CompatTime,
  },
  { title: 'CompatApiKey' },
)
export type CompatApiKey = Static<typeof CompatApiKey>
const exampleKey: CompatApiKey = {
  id: exampleId,
  userId: exampleId,
  key: '******',
  comment: 'tablet',
  createdDate: exampleTime,
  lastModifiedDate: exampleTime,
}

export const listCompatApiKeys = endpoint('GET /{prefix}/api/v2/users/me/api-keys', {
  ...compat,
  summary: 'Your API keys',
  access: 'api-keys:read',
  keys: 'refused',
  reply: Type.Array(CompatApiKey),
  example: { reply: [exampleKey] },
})

export const createCompatApiKey = endpoint('POST /{prefix}/api/v2/users/me/api-keys', {
  ...compat,
  summary: 'Make an API key',
  description: 'The reply is the only time the key itself is shown.',
  access: 'api-keys:write',
  keys: 'refused',
  secret: true,
  body: Type.Object({ comment: Type.String({ minLength: 1, maxLength: 100 }) }, { title: 'CompatNewApiKey' }),
  reply: CompatApiKey,
  errors: ['conflict'],
  example: { body: { comment: 'tablet' }, reply: { ...exampleKey, key: 'carrel_…' } },
})

export const deleteCompatApiKey = endpoint('DELETE /{prefix}/api/v2/users/me/api-keys/{id}', {
  ...compat,
  summary: 'Delete an API key',
  access: 'api-keys:delete',
  keys: 'refused',
  params: byCompatId,
  errors: ['not_found'],
})

const CompatActivity = record(
  {
    userId: Nullable(Type.String()),
    email: Nullable(Type.String()),
    apiKeyId: Nullable(Type.String()),
    apiKeyComment: Nullable(Type.String()),
    ip: Nullable(Type.String()),
    userAgent: Nullable(Type.String()),
    success: Type.Boolean(),
    error: Nullable(Type.String()),
    dateTime: CompatTime,
    source: Type.String(),
  },
  { title: 'CompatAuthenticationActivity' },
)
export type CompatActivity = Static<typeof CompatActivity>
const exampleActivity: CompatActivity = {
  userId: exampleId,
  email: 'ana',
  apiKeyId: null,
  apiKeyComment: null,
  ip: '192.0.2.1',
  userAgent: 'KMReader/4',
  success: true,
  error: null,
  dateTime: exampleTime,
  source: 'Password',
}
const examplePage = {
  content: [exampleActivity],
  pageable: {
    offset: 0,
    pageNumber: 0,
    pageSize: 20,
    paged: true,
    unpaged: false,
    sort: { empty: false, sorted: true, unsorted: false },
  },
  totalElements: 1,
  totalPages: 1,
  last: true,
  first: true,
  empty: false,
  number: 0,
  size: 20,
  numberOfElements: 1,
  sort: { empty: false, sorted: true, unsorted: false },
}
const ActivityPage = compatPageOf(CompatActivity, 'CompatPage_CompatAuthenticationActivity')

export const listCompatActivity = endpoint('GET /{prefix}/api/v2/users/me/authentication-activity', {
  ...compat,
  summary: 'Where you have signed in, and where somebody has tried to as you; newest first, for 90 days',
  access: 'signed-in',
  query: Type.Object(compatPaging),
  reply: ActivityPage,
  example: { reply: examplePage },
})

export const listCompatActivityOfAll = endpoint('GET /{prefix}/api/v2/users/authentication-activity', {
  ...compat,
  summary: 'Who has signed in, or tried to; newest first, for 90 days',
  access: 'system:admin',
  query: Type.Object(compatPaging),
  reply: ActivityPage,
  example: { reply: examplePage },
})

export const readCompatLatestActivity = endpoint('GET /{prefix}/api/v2/users/{id}/authentication-activity/latest', {
  ...compat,
  summary: 'The last time a user, or a key of theirs, was used: your own, or as an administrator anybody’s',
  access: 'signed-in',
  params: byCompatId,
  query: Type.Object({ apikey_id: Type.Optional(Repeated) }),
  reply: CompatActivity,
  errors: ['not_found'],
  example: { reply: exampleActivity },
})

const Password = Type.String({ minLength: 10, maxLength: 256 })
const NewCompatPassword = Type.Object({ password: Password }, { title: 'CompatPassword' })

export const changeCompatPassword = endpoint('PATCH /{prefix}/api/v2/users/me/password', {
  ...compat,
  summary: 'Change your password',
  description:
    'Together with the old one as HTTP Basic, or in a session that was begun with it; a remembered one does not do. All other sessions end.',
  access: 'signed-in',
  keys: 'refused',
  body: NewCompatPassword,
  errors: ['not_allowed', 'rate_limit_exceeded'],
  example: { body: { password: 'quiet-lamp-over-snow' } },
})

export const setCompatPassword = endpoint('PATCH /{prefix}/api/v2/users/{id}/password', {
  ...compat,
  summary: 'Set the password of a user',
  access: 'users:write',
  keys: 'refused',
  params: byCompatId,
  body: NewCompatPassword,
  errors: ['not_found', 'conflict'],
  example: { body: { password: 'quiet-lamp-over-snow' } },
})

export const listCompatUsers = endpoint('GET /{prefix}/api/v2/users', {
  ...compat,
  summary: 'The users; at most 500',
  access: 'users:read',
  reply: Type.Array(CompatUser, { maxItems: 500 }),
  example: { reply: [exampleUser] },
})

const Labels = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })
/** An administrator sets these limits on what a user may see. */
const limits = {
  roles: Type.Optional(Texts),
  sharedLibraries: Type.Optional(
    Nullable(Type.Object({ all: Type.Boolean(), libraryIds: Type.Optional(Type.Array(CompatId, { maxItems: 1000 })) })),
  ),
  labelsAllow: Type.Optional(Nullable(Labels)),
  labelsExclude: Type.Optional(Nullable(Labels)),
  ageRestriction: Type.Optional(
    Nullable(
      Type.Object({
        age: Type.Integer({ minimum: 0, maximum: 101 }),
        restriction: OneOf(['ALLOW_ONLY', 'EXCLUDE', 'NONE']),
      }),
    ),
  ),
}
const CompatLimits = Type.Object(limits)
export type CompatLimits = Static<typeof CompatLimits>

export const createCompatUser = endpoint('POST /{prefix}/api/v2/users', {
  ...compat,
  summary: 'Add a user',
  description:
    'What stands before the @ becomes the user name. Without roles it is a reader, who may read and download.',
  access: 'users:write',
  keys: 'refused',
  body: Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 254 }),
      password: Password,
      ...limits,
    },
    { title: 'CompatNewUser' },
  ),
  reply: CompatUser,
  status: 201,
  errors: ['already_exists'],
  example: { body: { email: 'bo@example.org', password: 'quiet-lamp-over-snow', roles: [] }, reply: exampleUser },
})

export const deleteCompatUser = endpoint('DELETE /{prefix}/api/v2/users/{id}', {
  ...compat,
  summary: 'Delete a user',
  access: 'users:delete',
  keys: 'refused',
  params: byCompatId,
  errors: ['not_found', 'conflict'],
})

export const changeCompatUser = endpoint('PATCH /{prefix}/api/v2/users/{id}', {
  ...compat,
  summary: 'Change what a user may do and see',
  description:
    'What is absent stays. Labels are our sharing tags, made where there are none yet. What comes from an access group stays.',
  access: 'users:write',
  keys: 'refused',
  params: byCompatId,
  body: Type.Object(limits, { title: 'CompatUserChange' }),
  errors: ['not_found', 'conflict'],
  example: { body: { roles: ['ADMIN'] } },
})
