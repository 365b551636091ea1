import { type Permission, readMe, type User } from '@carrel/api'
import { useRead } from '../api/queries.ts'

/** Everything behind the sign-in has the signed-in user in the cache. */
export const useMe = (): User => useRead(readMe, {})

/** It returns whether the user may do this: what they may not do is not offered. */
export const useMay = (permission: Permission): boolean => useMe().permissions.includes(permission)
