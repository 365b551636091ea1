import { type Permission, readMe, type User } from '@carrel/api'
import { useRead } from './api/queries.ts'

/** Who is signed in. Everything behind the sign-in has it at hand. */
export const useMe = (): User => useRead(readMe, {})

/** Whether they may do this: what nobody may do is not offered. */
export const useMay = (permission: Permission): boolean => useMe().permissions.includes(permission)
