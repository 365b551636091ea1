import * as door from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { readEffectiveAccess, sharingTagsNamed } from '../../../features/access/access.ts'
import { changeUser, createUser, listUsers, readUser, removeUser } from '../../../features/users/users.ts'
import type { Caller } from '../../../http/caller.ts'
import { serve } from '../../../http/serve.ts'
import { pagingOf } from '../../../platform/paging.ts'
import { requireId, spellingOf } from '../spelling.ts'
import { accessFrom, rolesFrom, type Standing, tagsFrom } from './limits.ts'
import { compatUsersOf, toCompatUser } from './user-record.ts'

const usersMax = 500
const noMatch = (): void => undefined

/** Administrators manage users through these routes: the rules are ours, in the applications' format. */
export const compatUserRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, passwords, settings } = context
  const contextOf = (actor: Caller) => ({ db, passwords, clock, actor })
  serve(app, door.listCompatUsers, async ({ request }) => {
    const { data } = await listUsers(db.read, {}, pagingOf(1, usersMax))
    return data.map(await compatUsersOf(db.read, data, spellingOf(request, settings)))
  })
  serve(app, door.createCompatUser, async ({ caller, body, request }) => {
    const { email, password, ...limits } = body
    const names = email.includes('@') ? { username: email.slice(0, email.indexOf('@')), email } : { username: email }
    const user = await createUser(contextOf(caller), {
      ...names,
      password,
      ...(await patchFrom(context, caller, limits, newcomer)),
    })
    return toCompatUser(db.read, user, spellingOf(request, settings))
  })
  serve(app, door.changeCompatUser, async ({ caller, params, body }) => {
    const id = requireId(params.id, 'user')
    const patch = await patchFrom(context, caller, body, await readUser(db.read, id))
    await changeUser(contextOf(caller), id, patch, noMatch)
    return undefined
  })
  serve(app, door.deleteCompatUser, ({ caller, params }) =>
    removeUser(contextOf(caller), requireId(params.id, 'user'), noMatch),
  )
  serve(app, door.setCompatPassword, async ({ caller, params, body }) => {
    await changeUser(contextOf(caller), requireId(params.id, 'user'), { password: body.password }, noMatch)
    return undefined
  })
}

type Subject = Standing['user'] & { readonly id?: string }

const newcomer: Subject = {
  role: 'reader',
  access: { libraries: 'all', ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [], groups: [] },
}

const patchFrom = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { permissions }: Caller,
  limits: door.CompatLimits,
  user: Subject,
) => {
  const standing = { user, groups: await readEffectiveAccess(db.read, openRules(user.id ?? '')) }
  const role = limits.roles && rolesFrom(limits.roles, standing)
  const access = accessFrom(limits, standing)
  const mayCreate = permissions.has('system:admin')
  const tagsOf = async (field: 'labelsAllow' | 'labelsExclude') => {
    const labels = limits[field]
    if (labels === undefined) return undefined
    return tagsFrom(
      field,
      await sharingTagsNamed(db, labels ?? [], { mayCreate, now: clock(), path: `/${field}` }),
      standing,
    )
  }
  const [allowTags, denyTags] = [await tagsOf('labelsAllow'), await tagsOf('labelsExclude')]
  return { ...role, access: { ...access, ...(allowTags && { allowTags }), ...(denyTags && { denyTags }) } }
}

/** Such a user has no rule but those of groups. */
const openRules = (id: string) => ({ id, all_libraries: 1, age_ceiling: null, include_unrated: 0 }) as const
