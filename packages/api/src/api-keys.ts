import { type Static, Type } from 'typebox'
import { downloadMetadata } from './download-metadata.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { PermissionInput, PermissionName } from './permissions.ts'
import { byId, Id, Nullable, OneOf, record, sortBy, Timestamp } from './schema.ts'

const tag = 'API keys'
const Name = Type.String({ minLength: 1, maxLength: 100 })
const Permissions = Nullable(
  Type.Array(PermissionInput, {
    maxItems: 100,
    description: 'A part of what you may do yourself; null for all of it.',
  }),
)
const ExpiresAt = Nullable(Timestamp)
const Metadata = Nullable(
  OneOf(downloadMetadata, {
    description: 'What files say of their books that are downloaded with it; null: as you have it.',
  }),
)

const fields = {
  id: Id,
  userId: Id,
  name: Type.String(),
  keyPrefix: Type.String({ description: 'The part of the key that is no secret.' }),
  permissions: Nullable(Type.Array(PermissionName)),
  isActive: Type.Boolean(),
  expiresAt: ExpiresAt,
  downloadMetadata: Metadata,
  lastUsedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const ApiKeyDto = record(fields, { title: 'ApiKey' })
export type ApiKeyDto = Static<typeof ApiKeyDto>
const editable = Type.Omit(ApiKeyDto, ['lastUsedAt'])

export const CreatedApiKey = record(
  { ...fields, key: Type.String({ description: 'The key itself, shown this once.' }) },
  { title: 'CreatedApiKey' },
)
export type CreatedApiKey = Static<typeof CreatedApiKey>

const NewApiKey = record(
  {
    name: Name,
    permissions: Type.Optional(Permissions),
    expiresAt: Type.Optional(ExpiresAt),
    downloadMetadata: Type.Optional(Metadata),
  },
  { title: 'NewApiKey' },
)
export type NewApiKey = Static<typeof NewApiKey>

const ApiKeyPatch = record(
  {
    name: Type.Optional(Name),
    permissions: Type.Optional(Permissions),
    isActive: Type.Optional(Type.Boolean()),
    expiresAt: Type.Optional(ExpiresAt),
    downloadMetadata: Type.Optional(Metadata),
  },
  { title: 'ApiKeyPatch' },
)
export type ApiKeyPatch = Static<typeof ApiKeyPatch>

const exampleKey: ApiKeyDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000005',
  userId: '019aa3b2-6c7e-7000-8000-000000000001',
  name: 'Tablet',
  keyPrefix: 'carrel_k3v9x0ab',
  permissions: null,
  isActive: true,
  expiresAt: null,
  downloadMetadata: null,
  lastUsedAt: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}

export const listApiKeys = listEndpoint('GET /api/v1/api-keys', {
  summary: 'List your API keys',
  tag,
  access: 'api-keys:read',
  keys: 'refused',
  query: Type.Object({
    userId: Type.Optional(Type.String({ format: 'uuid', description: "Another user's keys, for administrators." })),
    sort: sortBy(['name', 'createdAt', 'lastUsedAt']),
  }),
  item: ApiKeyDto,
  title: 'ApiKeyPage',
  errors: ['not_found'],
})

export const createApiKey = endpoint('POST /api/v1/api-keys', {
  summary: 'Create an API key',
  description: 'The reply is the only place where the key stands. A user has up to 50.',
  tag,
  access: 'api-keys:write',
  keys: 'refused',
  secret: true,
  body: NewApiKey,
  reply: CreatedApiKey,
  status: 201,
  errors: ['conflict'],
  example: {
    body: { name: 'Tablet' },
    reply: { ...exampleKey, key: 'carrel_k3v9x0ab_2m0Qy7Y0n1l2k3j4h5g6f7d8s9a0q1w2e3r4t5y6u7i' },
  },
})

export const readApiKey = endpoint('GET /api/v1/api-keys/{id}', {
  summary: 'Read one API key',
  tag,
  access: 'api-keys:read',
  keys: 'refused',
  params: byId,
  reply: ApiKeyDto,
  editable,
  errors: ['not_found'],
  example: { reply: exampleKey },
})

export const updateApiKey = endpoint('PATCH /api/v1/api-keys/{id}', {
  summary: 'Change an API key',
  tag,
  access: 'api-keys:write',
  keys: 'refused',
  params: byId,
  body: ApiKeyPatch,
  guards: editable,
  reply: ApiKeyDto,
  editable,
  errors: ['not_found'],
  example: { body: { isActive: false }, reply: { ...exampleKey, isActive: false } },
})

export const deleteApiKey = endpoint('DELETE /api/v1/api-keys/{id}', {
  summary: 'Delete an API key',
  tag,
  access: 'api-keys:delete',
  keys: 'refused',
  params: byId,
  guards: editable,
  errors: ['not_found'],
})
