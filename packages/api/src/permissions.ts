import { OneOf } from './schema.ts'

const areas = [
  'libraries',
  'series',
  'books',
  'collections',
  'readlists',
  'users',
  'api-keys',
  'tasks',
  'plugins',
  'settings',
  'progress',
  'pages',
] as const
const actions = ['read', 'write', 'delete'] as const

export type Permission = `${(typeof areas)[number]}:${(typeof actions)[number]}` | 'files:download' | 'system:admin'

export const permissions: readonly Permission[] = [
  ...areas.flatMap((area) => actions.map((action) => `${area}:${action}` as const)),
  'files:download',
  'system:admin',
]

export const roles = ['reader', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

const readerPermissions: readonly Permission[] = [
  'libraries:read',
  'series:read',
  'books:read',
  'pages:read',
  'collections:read',
  'readlists:read',
  'progress:read',
  'progress:write',
  'api-keys:read',
  'api-keys:write',
  'api-keys:delete',
  'files:download',
]

const editorPermissions: readonly Permission[] = [
  ...readerPermissions,
  'series:write',
  'series:delete',
  'books:write',
  'books:delete',
  'collections:write',
  'collections:delete',
  'readlists:write',
  'readlists:delete',
  'libraries:write',
  'tasks:read',
  'tasks:write',
]

export const permissionsOfRole: Readonly<Record<Role, readonly Permission[]>> = {
  reader: readerPermissions,
  editor: editorPermissions,
  admin: permissions,
}

export const RoleName = OneOf(roles)
export const PermissionName = OneOf(permissions)

/** Input also accepts the spelling of the older API: `libraries-read`. */
export const PermissionInput = OneOf([...permissions, ...permissions.map((name) => name.replace(':', '-'))])

/** Only permissions of readers can be withheld. Those of administration go with the role. */
export const WithheldInput = OneOf([...readerPermissions, ...readerPermissions.map((name) => name.replace(':', '-'))])

export const permissionFrom = (spelling: string): Permission => {
  const name = permissions.find((each) => each === spelling || each.replace(':', '-') === spelling)
  if (!name) throw new Error(`"${spelling}" is not a permission`)
  return name
}
