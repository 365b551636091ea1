import type { Permission } from '@carrel/api'
import { paths } from '../../navigation/paths.ts'
import type { IconName } from '../../ui/icon.tsx'

export interface AdminEntry {
  readonly path: string
  /** Its name is the string `menu.<label>.name` of `admin`, what one does there `menu.<label>.text`. */
  readonly label:
    | 'libraries'
    | 'matches'
    | 'duplicates'
    | 'bookErrors'
    | 'tasks'
    | 'users'
    | 'groups'
    | 'sharingTags'
    | 'settings'
    | 'plugins'
    | 'backups'
    | 'imports'
    | 'server'
  readonly icon: IconName
  /** A user without this permission does not see the entry, and is not led to the pages below it. */
  readonly permission: Permission
}

/** The menu of the administration, in this order. An entry is added together with its page: there are no dead links. */
export const adminMenu: readonly AdminEntry[] = [
  { path: paths.adminLibraries(), label: 'libraries', icon: 'library', permission: 'libraries:write' },
  { path: paths.matches(), label: 'matches', icon: 'search', permission: 'series:write' },
  { path: paths.duplicates(), label: 'duplicates', icon: 'merge', permission: 'series:write' },
  { path: paths.adminBookErrors(), label: 'bookErrors', icon: 'warning', permission: 'books:write' },
  { path: paths.adminTasks(), label: 'tasks', icon: 'activity', permission: 'tasks:read' },
  { path: paths.users(), label: 'users', icon: 'person', permission: 'users:read' },
  { path: paths.groups(), label: 'groups', icon: 'people', permission: 'system:admin' },
  { path: paths.sharingTags(), label: 'sharingTags', icon: 'eye', permission: 'system:admin' },
  { path: paths.serverSettings(), label: 'settings', icon: 'settings', permission: 'settings:read' },
  { path: paths.plugins(), label: 'plugins', icon: 'plug', permission: 'plugins:read' },
  { path: paths.backups(), label: 'backups', icon: 'copy', permission: 'system:admin' },
  { path: paths.imports(), label: 'imports', icon: 'download', permission: 'system:admin' },
  { path: paths.server(), label: 'server', icon: 'server', permission: 'system:admin' },
]

/** Whoever has any of these has something to administer. */
export const adminPermissions: readonly Permission[] = [...new Set(adminMenu.map(({ permission }) => permission))]

/** The entry a page belongs to: its own, or the nearest above it. */
export const entryOf = (pathname: string): AdminEntry | undefined =>
  adminMenu
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]

/** It returns whether somebody with these permissions may open this page of the administration. */
export const mayOpen = (pathname: string, permissions: readonly Permission[]): boolean => {
  const { permission } = entryOf(pathname) ?? {}
  if (permission !== undefined) return permissions.includes(permission)
  return pathname === paths.admin() && adminPermissions.some((each) => permissions.includes(each))
}
