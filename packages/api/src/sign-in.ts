import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { byId, Id, Nullable, record, Timestamp } from './schema.ts'
import { Email, exampleUser, NewPassword, User, Username } from './users.ts'

const tag = 'Sign-in'
/** It may be longer than any new password: whoever signs in is told that it is wrong, not that it is long. */
const AnyPassword = Type.String({ minLength: 1, maxLength: 1024 })
const RefreshToken = Type.String({ minLength: 1, maxLength: 256 })

export const TokenPair = record(
  {
    accessToken: Type.String({ description: 'Goes into `Authorization: Bearer …`.' }),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
    refreshToken: Type.String({ description: 'Good for one use.' }),
  },
  { title: 'TokenPair' },
)
export type TokenPair = Static<typeof TokenPair>

export const SignedIn = record({ ...TokenPair.properties, user: User }, { title: 'SignedIn' })
export type SignedIn = Static<typeof SignedIn>

const exampleTokens = {
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.…',
  tokenType: 'Bearer',
  expiresIn: 3600,
  refreshToken: 'nM0q…',
} as const
const exampleSignedIn: SignedIn = { ...exampleTokens, user: exampleUser }

export const readSetupStatus = endpoint('GET /api/v1/setup/status', {
  summary: 'Whether the first administrator is still to be created',
  tag: 'Setup',
  access: 'open',
  reply: record(
    { setupRequired: Type.Boolean(), hasUsers: Type.Boolean(), registrationEnabled: Type.Boolean() },
    { title: 'SetupStatus' },
  ),
  example: { reply: { setupRequired: true, hasUsers: false, registrationEnabled: false } },
})

const FirstAdministrator = record(
  {
    username: Username,
    password: NewPassword,
    email: Type.Optional(Nullable(Email)),
    setupToken: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'From the log or the file setup-token. Not needed on the machine itself.',
      }),
    ),
  },
  { title: 'FirstAdministrator' },
)
export type FirstAdministrator = Static<typeof FirstAdministrator>

const setUpShape = {
  summary: 'Create the first administrator',
  tag: 'Setup',
  access: 'open',
  secret: true,
  body: FirstAdministrator,
  reply: SignedIn,
  status: 201,
  errors: ['not_allowed', 'conflict'],
  example: { body: { username: 'ana', password: 'quiet-lamp-over-snow', setupToken: '8f6a…' }, reply: exampleSignedIn },
} as const

export const setUp = endpoint('POST /api/v1/setup', setUpShape)
export const setUpAlias = endpoint('POST /api/v1/setup/initialize', {
  ...setUpShape,
  summary: 'Create the first administrator (the older spelling)',
})

export const login = endpoint('POST /api/v1/auth/login', {
  summary: 'Sign in with a password',
  description: 'Sets the cookie of the web app too.',
  tag,
  access: 'open',
  secret: true,
  body: record(
    {
      username: Type.String({ minLength: 1, maxLength: 254, description: 'User name or e-mail address.' }),
      password: AnyPassword,
      deviceName: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Shown in the list of sessions.' }),
      ),
    },
    { title: 'Login' },
  ),
  reply: SignedIn,
  errors: ['not_authenticated'],
  example: { body: { username: 'ana', password: 'quiet-lamp-over-snow' }, reply: exampleSignedIn },
})

export const refresh = endpoint('POST /api/v1/auth/refresh', {
  summary: 'Swap a refresh token for a new pair',
  description: 'A token is good for one use. Used again after ten seconds, it ends the session it belongs to.',
  tag,
  access: 'open',
  secret: true,
  body: record({ refreshToken: RefreshToken }, { title: 'Refresh' }),
  reply: TokenPair,
  errors: ['not_authenticated'],
  example: { body: { refreshToken: 'nM0q…' }, reply: exampleTokens },
})

export const logout = endpoint('POST /api/v1/auth/logout', {
  summary: 'Sign out',
  description: 'Ends the session of the credentials the request carries, and of the refresh token, when there is one.',
  tag,
  access: 'optional',
  keys: 'refused',
  body: record({ refreshToken: Type.Optional(RefreshToken) }, { title: 'Logout' }),
  bodyOptional: true,
  example: { body: {} },
})

export const readMe = endpoint('GET /api/v1/auth/me', {
  summary: 'Who you are',
  tag,
  access: 'signed-in',
  reply: User,
  example: { reply: exampleUser },
})

export const readSession = endpoint('GET /api/v1/auth/session', {
  summary: 'Who you are, or that you are nobody yet',
  description: 'For a page that does not know whether its cookie is still there: nobody is an answer, not an error.',
  tag,
  access: 'open',
  reply: record({ user: Nullable(User) }, { title: 'CurrentSession' }),
  example: { reply: { user: exampleUser } },
})

export const SessionDto = record(
  {
    id: Id,
    deviceName: Nullable(Type.String()),
    userAgent: Nullable(Type.String()),
    ip: Nullable(Type.String()),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    current: Type.Boolean(),
  },
  { title: 'Session' },
)
export type SessionDto = Static<typeof SessionDto>

const Sessions = record(
  { sessions: Type.Array(SessionDto, { description: 'At most the 500 latest used.' }) },
  { title: 'Sessions' },
)

export const listSessions = endpoint('GET /api/v1/auth/sessions', {
  summary: 'Your sessions, the latest used first',
  tag,
  access: 'signed-in',
  keys: 'refused',
  reply: Sessions,
  example: {
    reply: {
      sessions: [
        {
          id: '019aa3b2-6c7e-7000-8000-000000000004',
          deviceName: 'Tablet',
          userAgent: 'Mozilla/5.0',
          ip: '192.0.2.7',
          createdAt: '2026-11-20T10:00:00.000Z',
          lastUsedAt: '2026-11-21T10:00:00.000Z',
          current: true,
        },
      ],
    },
  },
})

export const endSession = endpoint('DELETE /api/v1/auth/sessions/{id}', {
  summary: 'End one of your sessions',
  tag,
  access: 'signed-in',
  keys: 'refused',
  params: byId,
  errors: ['not_found'],
})

export const listSessionsOfUser = endpoint('GET /api/v1/users/{id}/sessions', {
  summary: 'Where a user is signed in, the latest used first',
  tag,
  access: 'system:admin',
  keys: 'refused',
  params: byId,
  reply: Sessions,
  errors: ['not_found'],
  example: { reply: { sessions: [] } },
})

export const endSessionsOfUser = endpoint('DELETE /api/v1/users/{id}/sessions', {
  summary: 'End all sessions of a user',
  description: 'But the one that asks.',
  tag,
  access: 'system:admin',
  keys: 'refused',
  params: byId,
  errors: ['not_found'],
})

export const createOneTimeLink = endpoint('POST /api/v1/users/{id}/one-time-link', {
  summary: 'Make a token with which a user chooses a password, once',
  description:
    'For those who have none yet, such as people who came from another server, or who have forgotten it. It is valid for 14 days, and until the password changes.',
  tag,
  access: 'users:write',
  keys: 'refused',
  secret: true,
  params: byId,
  status: 201,
  reply: record({ token: Type.String(), expiresAt: Timestamp }, { title: 'OneTimeLink' }),
  errors: ['not_found'],
  example: {
    reply: {
      token: '019aa3b2-6c7e-7000-8000-000000000010.1766000000.q9…',
      expiresAt: '2026-12-05T10:00:00.000Z',
    },
  },
})

export const redeemOneTimeLink = endpoint('POST /api/v1/auth/one-time-link', {
  summary: 'Choose a password with such a token',
  description: 'Then sign in with it. Ends all sessions of the user.',
  tag,
  access: 'open',
  secret: true,
  body: record(
    { token: Type.String({ minLength: 1, maxLength: 300 }), password: NewPassword },
    { title: 'OneTimeLinkUse' },
  ),
  reply: record({ username: Type.String({ description: 'Of whom the link is.' }) }, { title: 'OneTimeLinkUsed' }),
  example: {
    body: { token: '019aa3b2-6c7e-7000-8000-000000000010.1766000000.q9…', password: 'brass-kettle-at-dawn' },
    reply: { username: 'ana' },
  },
})

export const changePassword = endpoint('POST /api/v1/auth/password', {
  summary: 'Change your own password',
  description: 'Ends all your other sessions.',
  tag,
  access: 'signed-in',
  keys: 'refused',
  body: record({ currentPassword: AnyPassword, newPassword: NewPassword }, { title: 'PasswordChange' }),
  example: { body: { currentPassword: 'quiet-lamp-over-snow', newPassword: 'brass-kettle-at-dawn' } },
})
