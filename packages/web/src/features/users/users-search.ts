import type { Role } from '@carrel/api'

export const userOrders = ['username,asc', 'createdAt,desc', 'lastLoginAt,desc'] as const

export interface UsersSearch {
  readonly q?: string | undefined
  readonly role?: Role | undefined
  readonly sort?: (typeof userOrders)[number] | undefined
  readonly page?: number | undefined
}

export const usersOnPage = 50

export const usersInput = ({ q, role, sort, page = 1 }: UsersSearch) => ({
  query: { page, pageSize: usersOnPage, ...(q && { q }), ...(role && { role }), ...(sort && { sort }) },
})
