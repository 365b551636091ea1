import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, sortBy, Timestamp } from './schema.ts'

const tag = 'Access'
const admin = { tag, access: 'system:admin' } as const
const idsMax = 1000
const Ids = Type.Array(Id, { maxItems: idsMax, uniqueItems: true })
const Name = Type.String({ minLength: 1, maxLength: 100 })
const Description = Nullable(Type.String({ maxLength: 1000 }))

const rules = {
  libraries: Type.Unsafe<'all' | string[]>({ anyOf: [{ type: 'string', const: 'all' }, Ids] }),
  ageCeiling: Nullable(Type.Integer({ minimum: 0, maximum: 100, description: 'Hides what is rated above it.' })),
  includeUnrated: Type.Boolean({ description: 'Whether what is unrated shows under a ceiling.' }),
}

/** It says what a user may see of the catalogue, and in which groups they are. */
export const Access = record(
  { ...rules, allowTags: Ids, denyTags: Ids, groups: Ids },
  { title: 'Access', description: 'A denied tag always hides; with any allowed tag, only what carries one is shown.' },
)
export type Access = Static<typeof Access>

const Mode = OneOf(['allow', 'deny'])
export type GrantMode = Static<typeof Mode>

export const SharingTagDto = record(
  {
    id: Id,
    name: Type.String(),
    description: Nullable(Type.String()),
    userCount: Count,
    groupCount: Count,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'SharingTag' },
)
export type SharingTagDto = Static<typeof SharingTagDto>

const NewSharingTag = record({ name: Name, description: Type.Optional(Description) }, { title: 'NewSharingTag' })
export type NewSharingTag = Static<typeof NewSharingTag>
const SharingTagPatch = record(
  { name: Type.Optional(Name), description: Type.Optional(Description) },
  { title: 'SharingTagPatch' },
)
export type SharingTagPatch = Static<typeof SharingTagPatch>

const exampleTag: SharingTagDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000002',
  name: 'grown-ups',
  description: null,
  userCount: 2,
  groupCount: 1,
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
}

export const listSharingTags = listEndpoint('GET /api/v1/admin/sharing-tags', {
  summary: 'List sharing tags',
  ...admin,
  query: Type.Object({ sort: sortBy(['name', 'createdAt']) }),
  item: SharingTagDto,
  title: 'SharingTagPage',
})

export const createSharingTag = endpoint('POST /api/v1/admin/sharing-tags', {
  summary: 'Create a sharing tag',
  ...admin,
  body: NewSharingTag,
  reply: SharingTagDto,
  status: 201,
  errors: ['already_exists'],
  example: { body: { name: 'grown-ups' }, reply: exampleTag },
})

export const readSharingTag = endpoint('GET /api/v1/admin/sharing-tags/{id}', {
  summary: 'Read one sharing tag',
  ...admin,
  params: byId,
  reply: SharingTagDto,
  errors: ['not_found'],
  example: { reply: exampleTag },
})

export const updateSharingTag = endpoint('PATCH /api/v1/admin/sharing-tags/{id}', {
  summary: 'Change a sharing tag',
  ...admin,
  params: byId,
  body: SharingTagPatch,
  guards: SharingTagDto,
  reply: SharingTagDto,
  errors: ['not_found', 'already_exists'],
  example: { body: { description: 'Not for children' }, reply: { ...exampleTag, description: 'Not for children' } },
})

export const deleteSharingTag = endpoint('DELETE /api/v1/admin/sharing-tags/{id}', {
  summary: 'Delete a sharing tag, from everyone and everything that has it',
  ...admin,
  params: byId,
  guards: SharingTagDto,
  errors: ['not_found'],
})

const Grant = record(
  { accessMode: Mode, sharingTagId: Id, sharingTagName: Type.String(), createdAt: Timestamp },
  { title: 'AccessGroupGrant' },
)
export type Grant = Static<typeof Grant>
const Member = record(
  { userId: Id, username: Type.String(), source: OneOf(['manual', 'oidc']), createdAt: Timestamp },
  { title: 'AccessGroupMember' },
)
export type Member = Static<typeof Member>

const OidcMapping = record(
  { id: Id, oidcGroupName: Type.String(), createdAt: Timestamp },
  { title: 'AccessGroupOidcMapping' },
)
export type OidcMapping = Static<typeof OidcMapping>

const groupFields = { id: Id, name: Type.String(), description: Nullable(Type.String()), ...rules }

export const AccessGroupDto = record(
  { ...groupFields, grantCount: Count, memberCount: Count, createdAt: Timestamp, updatedAt: Timestamp },
  { title: 'AccessGroup' },
)
export type AccessGroupDto = Static<typeof AccessGroupDto>

export const AccessGroupDetail = record(
  {
    ...groupFields,
    grants: Type.Array(Grant, { description: 'All of them.' }),
    memberCount: Count,
    members: Type.Array(Member, { description: 'The first 1,000 by name.' }),
    oidcMappings: Type.Array(OidcMapping, {
      description: 'The groups at sign-in providers whose members are in this one.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'AccessGroupDetail' },
)
export type AccessGroupDetail = Static<typeof AccessGroupDetail>

const groupInput = {
  description: Type.Optional(Description),
  libraries: Type.Optional(rules.libraries),
  ageCeiling: Type.Optional(rules.ageCeiling),
  includeUnrated: Type.Optional(rules.includeUnrated),
}
const NewAccessGroup = record({ name: Name, ...groupInput }, { title: 'NewAccessGroup' })
export type NewAccessGroup = Static<typeof NewAccessGroup>
const AccessGroupPatch = record({ name: Type.Optional(Name), ...groupInput }, { title: 'AccessGroupPatch' })
export type AccessGroupPatch = Static<typeof AccessGroupPatch>

const exampleMapping: OidcMapping = {
  id: '019aa3b2-6c7e-7000-8000-000000000007',
  oidcGroupName: 'family',
  createdAt: '2026-11-01T09:00:00.000Z',
}

const exampleGroup: AccessGroupDetail = {
  id: '019aa3b2-6c7e-7000-8000-000000000003',
  name: 'children',
  description: null,
  libraries: 'all',
  ageCeiling: 12,
  includeUnrated: false,
  grants: [
    {
      accessMode: 'deny',
      sharingTagId: exampleTag.id,
      sharingTagName: exampleTag.name,
      createdAt: '2026-11-01T09:00:00.000Z',
    },
  ],
  memberCount: 0,
  members: [],
  oidcMappings: [exampleMapping],
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
}

export const listAccessGroups = listEndpoint('GET /api/v1/access-groups', {
  summary: 'List access groups',
  ...admin,
  query: Type.Object({ sort: sortBy(['name', 'createdAt']) }),
  item: AccessGroupDto,
  title: 'AccessGroupPage',
})

export const createAccessGroup = endpoint('POST /api/v1/access-groups', {
  summary: 'Create an access group',
  ...admin,
  body: NewAccessGroup,
  reply: AccessGroupDetail,
  status: 201,
  errors: ['already_exists'],
  example: { body: { name: 'children', ageCeiling: 12 }, reply: { ...exampleGroup, grants: [], oidcMappings: [] } },
})

export const readAccessGroup = endpoint('GET /api/v1/access-groups/{id}', {
  summary: 'Read one access group with its grants and members',
  ...admin,
  params: byId,
  reply: AccessGroupDetail,
  errors: ['not_found'],
  example: { reply: exampleGroup },
})

export const updateAccessGroup = endpoint('PATCH /api/v1/access-groups/{id}', {
  summary: 'Change an access group',
  ...admin,
  params: byId,
  body: AccessGroupPatch,
  guards: AccessGroupDetail,
  reply: AccessGroupDetail,
  errors: ['not_found', 'already_exists'],
  example: { body: { ageCeiling: 12 }, reply: exampleGroup },
})

export const deleteAccessGroup = endpoint('DELETE /api/v1/access-groups/{id}', {
  summary: 'Delete an access group',
  ...admin,
  params: byId,
  guards: AccessGroupDetail,
  errors: ['not_found'],
})

export const saveAccessGroupGrant = endpoint('POST /api/v1/access-groups/{id}/grants', {
  summary: 'Allow or deny a sharing tag to a group',
  description: 'A grant there already is for this tag is replaced.',
  ...admin,
  params: byId,
  body: record({ sharingTagId: Id, accessMode: Mode }, { title: 'NewAccessGroupGrant' }),
  reply: Grant,
  errors: ['not_found', 'conflict'],
  example: { body: { sharingTagId: exampleTag.id, accessMode: 'deny' }, reply: exampleGroup.grants[0] },
})

export const deleteAccessGroupGrant = endpoint('DELETE /api/v1/access-groups/{id}/grants/{tagId}', {
  summary: 'Take a grant back',
  ...admin,
  params: Type.Object({ id: Id, tagId: Id }),
  errors: ['not_found'],
})

export const addAccessGroupMembers = endpoint('POST /api/v1/access-groups/{id}/members', {
  summary: 'Add users to a group',
  description: 'Those who are in it already stay. Replies with the members that were named.',
  ...admin,
  params: byId,
  body: record(
    { userIds: Type.Array(Id, { minItems: 1, maxItems: idsMax, uniqueItems: true }) },
    { title: 'NewAccessGroupMembers' },
  ),
  reply: Type.Array(Member),
  errors: ['not_found', 'conflict'],
  example: {
    body: { userIds: ['019aa3b2-6c7e-7000-8000-000000000001'] },
    reply: [
      {
        userId: '019aa3b2-6c7e-7000-8000-000000000001',
        username: 'ana',
        source: 'manual',
        createdAt: '2026-11-01T09:00:00.000Z',
      },
    ],
  },
})

export const removeAccessGroupMember = endpoint('DELETE /api/v1/access-groups/{id}/members/{userId}', {
  summary: 'Take a user out of a group',
  ...admin,
  params: Type.Object({ id: Id, userId: Id }),
  errors: ['not_found'],
})

const GroupSummary = record(
  { id: Id, name: Type.String(), description: Nullable(Type.String()) },
  { title: 'AccessGroupSummary' },
)
export type GroupSummary = Static<typeof GroupSummary>

export const listGroupsOfUser = endpoint('GET /api/v1/users/{id}/access-groups', {
  summary: 'The groups a user is in',
  ...admin,
  params: byId,
  reply: Type.Array(GroupSummary),
  errors: ['not_found'],
  example: { reply: [{ id: exampleGroup.id, name: 'children', description: null }] },
})

const Source = record(
  { kind: OneOf(['user', 'group']), groupId: Type.Optional(Id), groupName: Type.Optional(Type.String()) },
  { title: 'GrantSource' },
)
export type GrantSource = Static<typeof Source>

export const EffectiveAccess = record(
  {
    libraries: rules.libraries,
    ageCeiling: rules.ageCeiling,
    includeUnrated: rules.includeUnrated,
    grants: Type.Array(
      record(
        { accessMode: Mode, sharingTagId: Id, sharingTagName: Type.String(), sources: Type.Array(Source) },
        { title: 'EffectiveGrant' },
      ),
    ),
  },
  { title: 'EffectiveAccess' },
)
export type EffectiveAccess = Static<typeof EffectiveAccess>

export const readEffectiveAccess = endpoint('GET /api/v1/users/{id}/effective-grants', {
  summary: 'What a user may see, all groups taken together, and where each rule comes from',
  ...admin,
  params: byId,
  reply: EffectiveAccess,
  errors: ['not_found'],
  example: {
    reply: {
      libraries: 'all',
      ageCeiling: 12,
      includeUnrated: false,
      grants: [
        {
          accessMode: 'deny',
          sharingTagId: exampleTag.id,
          sharingTagName: 'grown-ups',
          sources: [{ kind: 'group', groupId: exampleGroup.id, groupName: 'children' }],
        },
      ],
    },
  },
})

export const addAccessGroupOidcMapping = endpoint('POST /api/v1/access-groups/{id}/oidc-mappings', {
  summary: 'Put whoever is in a group at a sign-in provider into this one',
  description:
    'Takes effect for each of them at their next sign-in through a provider, which also takes them out again. Members added by hand stay.',
  ...admin,
  params: byId,
  body: record(
    {
      oidcGroupName: Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$',
        description: 'To the letter.',
      }),
    },
    { title: 'NewAccessGroupOidcMapping' },
  ),
  reply: OidcMapping,
  status: 201,
  errors: ['not_found', 'already_exists', 'conflict'],
  example: { body: { oidcGroupName: 'family' }, reply: exampleMapping },
})

export const deleteAccessGroupOidcMapping = endpoint('DELETE /api/v1/access-groups/{id}/oidc-mappings/{mappingId}', {
  summary: 'Do so no longer',
  ...admin,
  params: Type.Object({ id: Id, mappingId: Id }),
  errors: ['not_found'],
})
