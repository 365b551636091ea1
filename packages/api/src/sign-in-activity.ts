import { type Static, Type } from 'typebox'
import { listEndpoint } from './endpoint.ts'
import { Id, Nullable, record, Timestamp } from './schema.ts'

export const SignInActivityDto = record(
  {
    id: Id,
    userId: Nullable(Id),
    username: Nullable(Type.String()),
    typedName: Nullable(
      Type.String({ description: 'What was typed as a name where it failed; only for administrators.' }),
    ),
    apiKeyId: Nullable(Id),
    apiKeyName: Nullable(Type.String()),
    source: Type.String({ description: '`password`, `api_key`, `remember_me` or `oidc:` and the name of a provider.' }),
    success: Type.Boolean(),
    error: Nullable(Type.String()),
    ip: Nullable(Type.String()),
    userAgent: Nullable(Type.String()),
    firstAt: Timestamp,
    lastAt: Timestamp,
  },
  {
    title: 'SignInActivity',
    description: 'A sign-in, or what a key or a password was used for from one address within an hour.',
  },
)
export type SignInActivityDto = Static<typeof SignInActivityDto>

const shared = {
  tag: 'Sign-in',
  description: 'Newest first, for 90 days. Failed ones too.',
  item: SignInActivityDto,
  title: 'SignInActivityPage',
} as const

export const listSignInActivity = listEndpoint('GET /api/v1/admin/authentication-activity', {
  ...shared,
  summary: 'Who has signed in, or tried to',
  access: 'system:admin',
  query: Type.Object({
    userId: Type.Optional(Id),
    success: Type.Optional(Type.Boolean()),
  }),
})

export const listOwnSignInActivity = listEndpoint('GET /api/v1/user/authentication-activity', {
  ...shared,
  summary: 'Where you have signed in, and where somebody has tried to as you',
  access: 'signed-in',
  keys: 'refused',
  query: Type.Object({}),
})
