import { permissionFrom, permissions, permissionsOfRole } from '@carrel/api'
import { expect, test } from 'vitest'
import { effectivePermissions } from './users.ts'

// The lists are copied by hand from pins C4: the contract is compared with them.
const reader = [
  'api-keys:delete',
  'api-keys:read',
  'api-keys:write',
  'books:read',
  'collections:read',
  'files:download',
  'libraries:read',
  'pages:read',
  'progress:read',
  'progress:write',
  'readlists:read',
  'series:read',
]

const editor = [
  'api-keys:delete',
  'api-keys:read',
  'api-keys:write',
  'books:delete',
  'books:read',
  'books:write',
  'collections:delete',
  'collections:read',
  'collections:write',
  'files:download',
  'libraries:read',
  'libraries:write',
  'pages:read',
  'progress:read',
  'progress:write',
  'readlists:delete',
  'readlists:read',
  'readlists:write',
  'series:delete',
  'series:read',
  'series:write',
  'tasks:read',
  'tasks:write',
]

const admin = [
  'api-keys:delete',
  'api-keys:read',
  'api-keys:write',
  'books:delete',
  'books:read',
  'books:write',
  'collections:delete',
  'collections:read',
  'collections:write',
  'files:download',
  'libraries:delete',
  'libraries:read',
  'libraries:write',
  'pages:delete',
  'pages:read',
  'pages:write',
  'plugins:delete',
  'plugins:read',
  'plugins:write',
  'progress:delete',
  'progress:read',
  'progress:write',
  'readlists:delete',
  'readlists:read',
  'readlists:write',
  'series:delete',
  'series:read',
  'series:write',
  'settings:delete',
  'settings:read',
  'settings:write',
  'system:admin',
  'tasks:delete',
  'tasks:read',
  'tasks:write',
  'users:delete',
  'users:read',
  'users:write',
]

test('C4 AUTH-6 the roles may do exactly this', () => {
  expect([...permissionsOfRole.reader].sort()).toEqual(reader)
  expect([...permissionsOfRole.editor].sort()).toEqual(editor)
  expect([...permissionsOfRole.admin].sort()).toEqual(admin)
  expect([...permissions].sort()).toEqual(admin)
})

test('C4 a permission is understood with a colon and with a hyphen, and nothing else is', () => {
  for (const name of permissions) {
    expect(permissionFrom(name)).toBe(name)
    expect(permissionFrom(name.replace(':', '-'))).toBe(name)
  }
  for (const nonsense of ['', 'series', 'series:', 'series:own', 'SERIES:READ', 'series read', 'api_keys:read']) {
    expect(() => permissionFrom(nonsense)).toThrow('is not a permission')
  }
})

test('C4 what somebody may do is the role and the extra permissions together, each once', () => {
  const effective = effectivePermissions({
    role: 'reader',
    withheld: '[]',
    permissions: JSON.stringify(['tasks:read', 'series:read', 'tasks:read']),
  })

  expect([...effective].sort()).toEqual([...reader, 'tasks:read'].sort())
})
