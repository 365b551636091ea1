import { type Static, Type } from 'typebox'
import { Access } from './access.ts'
import { downloadMetadata } from './download-metadata.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { PermissionInput, PermissionName, RoleName, WithheldInput } from './permissions.ts'
import { byId, Id, Json, Nullable, OneOf, record, sortBy, Timestamp } from './schema.ts'

const tag = 'Users'

export const Username = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^@\\x00-\\x1f\\x7f-\\x9f]+$',
  description: 'Without @ and control characters; unique ignoring case.',
})
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const NewPassword = Type.String({
  minLength: 10,
  maxLength: 256,
  description: 'At least 10 characters, and not one of the commonest.',
})
const PermissionInputs = Type.Array(PermissionInput, { maxItems: 100, description: 'Beyond those of the role.' })
const WithheldInputs = Type.Array(WithheldInput, {
  maxItems: 100,
  description: 'Of what readers may do: what this user may not, whatever the role.',
})
const Language = Type.String({ minLength: 2, maxLength: 35, description: 'BCP 47, such as en or pt-BR.' })
const TimeZone = Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, such as Europe/Berlin.' })

/** Every user sees this of themselves. */
export const User = record(
  {
    id: Id,
    username: Type.String(),
    email: Nullable(Type.String()),
    role: RoleName,
    permissions: Type.Array(PermissionName, { description: 'All that this caller may do.' }),
    language: Nullable(Type.String()),
    timeZone: Type.String(),
    downloadMetadata: OneOf(downloadMetadata, { description: 'What files say of their books that you download.' }),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

/** An administrator sees this of any user. */
export const UserDto = record(
  {
    id: Id,
    username: Type.String(),
    email: Nullable(Type.String()),
    role: RoleName,
    permissions: Type.Array(PermissionName, { description: 'Beyond those of the role.' }),
    withheldPermissions: Type.Optional(
      Type.Array(PermissionName, { description: 'What the role gives and this user may not do. Absent: nothing.' }),
    ),
    isActive: Type.Boolean(),
    lastLoginAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    access: Access,
  },
  { title: 'UserDto' },
)
export type UserDto = Static<typeof UserDto>
const editable = Type.Omit(UserDto, ['lastLoginAt'])

const optionalFields = {
  email: Type.Optional(Nullable(Email)),
  role: Type.Optional(RoleName),
  permissions: Type.Optional(PermissionInputs),
  withheldPermissions: Type.Optional(WithheldInputs),
  isActive: Type.Optional(Type.Boolean()),
  access: Type.Optional(Type.Partial(Access, { additionalProperties: false })),
}

export const NewUser = record({ username: Username, password: NewPassword, ...optionalFields }, { title: 'NewUser' })
export type NewUser = Static<typeof NewUser>

export const UserPatch = record(
  {
    username: Type.Optional(Username),
    password: Type.Optional(NewPassword),
    ...optionalFields,
  },
  { title: 'UserPatch' },
)
export type UserPatch = Static<typeof UserPatch>

export const exampleUser: User = {
  id: '019aa3b2-6c7e-7000-8000-000000000001',
  username: 'ana',
  email: 'ana@example.org',
  role: 'reader',
  permissions: ['series:read', 'books:read'],
  language: 'pt-BR',
  timeZone: 'America/Sao_Paulo',
  downloadMetadata: 'original',
}

const exampleUserDto: UserDto = {
  id: exampleUser.id,
  username: 'ana',
  email: 'ana@example.org',
  role: 'reader',
  permissions: [],
  isActive: true,
  lastLoginAt: '2026-11-21T10:00:00.000Z',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  access: { libraries: 'all', ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [], groups: [] },
}

export const listUsers = listEndpoint('GET /api/v1/users', {
  summary: 'List users',
  tag,
  access: 'users:read',
  query: Type.Object({
    role: Type.Optional(RoleName),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Part of the user name or e-mail address.' }),
    ),
    sort: sortBy(['username', 'role', 'createdAt', 'lastLoginAt']),
  }),
  item: UserDto,
  title: 'UserPage',
})

export const createUser = endpoint('POST /api/v1/users', {
  summary: 'Create a user',
  tag,
  access: 'users:write',
  body: NewUser,
  reply: UserDto,
  editable,
  status: 201,
  errors: ['already_exists'],
  example: { body: { username: 'ana', password: 'quiet-lamp-over-snow', role: 'reader' }, reply: exampleUserDto },
})

export const readUser = endpoint('GET /api/v1/users/{id}', {
  summary: 'Read one user',
  tag,
  access: 'users:read',
  params: byId,
  reply: UserDto,
  editable,
  errors: ['not_found'],
  example: { reply: exampleUserDto },
})

export const updateUser = endpoint('PATCH /api/v1/users/{id}', {
  summary: 'Change a user',
  description:
    'A new password, or making the user inactive, ends all sessions of the user. The last administrator stays one.',
  tag,
  access: 'users:write',
  params: byId,
  body: UserPatch,
  guards: editable,
  reply: UserDto,
  editable,
  errors: ['not_found', 'already_exists', 'conflict'],
  example: { body: { role: 'editor' }, reply: { ...exampleUserDto, role: 'editor' } },
})

export const deleteUser = endpoint('DELETE /api/v1/users/{id}', {
  summary: 'Delete a user and all that is theirs',
  tag,
  access: 'users:delete',
  params: byId,
  guards: editable,
  errors: ['not_found', 'conflict'],
})

export const readProfile = endpoint('GET /api/v1/user', {
  summary: 'Your own profile',
  tag,
  access: 'signed-in',
  reply: User,
  example: { reply: exampleUser },
})

export const ProfilePatch = record(
  {
    email: Type.Optional(Nullable(Email)),
    language: Type.Optional(Nullable(Language)),
    timeZone: Type.Optional(TimeZone),
    downloadMetadata: Type.Optional(OneOf(downloadMetadata)),
  },
  { title: 'ProfilePatch' },
)
export type ProfilePatch = Static<typeof ProfilePatch>

export const updateProfile = endpoint('PATCH /api/v1/user', {
  summary: 'Change your own profile',
  tag,
  access: 'progress:write',
  body: ProfilePatch,
  guards: User,
  reply: User,
  errors: ['already_exists'],
  example: { body: { language: 'pt-BR', timeZone: 'America/Sao_Paulo' }, reply: exampleUser },
})

const PreferenceKey = Type.String({ minLength: 1, maxLength: 255 })
const byKey = Type.Object({ key: PreferenceKey })
export const preferencesMax = 1000
export const preferenceBytesMax = 64 * 1024

export const Preferences = record(
  {
    // Not Type.Record: that makes a pattern of the key, which knows no length and no line break.
    preferences: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      propertyNames: PreferenceKey,
      additionalProperties: true,
      maxProperties: preferencesMax,
    }),
  },
  { title: 'Preferences' },
)
export type Preferences = Static<typeof Preferences>

export const Preference = record({ key: Type.String(), value: Json, updatedAt: Timestamp }, { title: 'Preference' })
export type Preference = Static<typeof Preference>

const examplePreferences = { preferences: { 'reader.fit': 'width', 'home.shelves': ['continue', 'recent'] } }

export const readPreferences = endpoint('GET /api/v1/user/preferences', {
  summary: 'All your preferences',
  tag,
  access: 'signed-in',
  reply: Preferences,
  example: { reply: examplePreferences },
})

export const savePreferences = endpoint('PUT /api/v1/user/preferences', {
  summary: 'Save several preferences',
  description: 'Those named are set, the others stay. A value takes up to 64 KiB of JSON; a user has up to 1,000.',
  tag,
  access: 'progress:write',
  body: Preferences,
  reply: Preferences,
  errors: ['conflict'],
  example: { body: { preferences: { 'reader.fit': 'width' } }, reply: examplePreferences },
})

const examplePreference = { key: 'reader.fit', value: 'width', updatedAt: '2026-11-21T10:00:00.000Z' }

export const readPreference = endpoint('GET /api/v1/user/preferences/{key}', {
  summary: 'One preference',
  tag,
  access: 'signed-in',
  params: byKey,
  reply: Preference,
  errors: ['not_found'],
  example: { reply: examplePreference },
})

export const savePreference = endpoint('PUT /api/v1/user/preferences/{key}', {
  summary: 'Save one preference',
  tag,
  access: 'progress:write',
  params: byKey,
  body: record({ value: Json }, { title: 'PreferenceValue' }),
  reply: Preference,
  errors: ['conflict'],
  example: { body: { value: 'width' }, reply: examplePreference },
})

export const deletePreference = endpoint('DELETE /api/v1/user/preferences/{key}', {
  summary: 'Forget one preference',
  tag,
  access: 'progress:write',
  params: byKey,
  errors: ['not_found'],
})
