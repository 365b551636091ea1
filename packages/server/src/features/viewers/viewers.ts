import type { Database, ReadDb } from '../../database/database.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { Caller } from '../../http/caller.ts'
import { notFound } from '../../platform/errors.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { readViewRules } from '../access/access.ts'
import { selectUser } from '../users/users.ts'
import { selectDeletedLibraries } from './queries.ts'

export type ViewerOf = (caller: Caller) => Promise<Viewer>

const keptMax = 10_000

/** Worked out once for each user, and again as soon as anything changes about who may see what, here or at another node. */
export const viewers = (db: Pick<Database, 'read' | 'revisions'>): ViewerOf => {
  const rules = new BoundedMap<ViewerAccess>(keptMax)
  let revision: number | undefined

  return async ({ userId, permissions }) => {
    const { access } = await db.revisions()
    if (access !== revision) rules.clear()
    revision = access
    const viewerAccess = rules.get(userId)
    const ownAccess = viewerAccess ?? (await readAccess(db.read, userId))
    if (!viewerAccess && revision === access) rules.set(userId, ownAccess)
    return {
      userId,
      ...ownAccess,
      seesPaths: permissions.has('libraries:write'),
      hidesReading: !permissions.has('progress:read'),
    }
  }
}

/** Where nobody asks, but something is done for somebody: as they are now. */
export const readViewer = async (db: ReadDb, userId: string, seesPaths: boolean): Promise<Viewer> => ({
  userId,
  ...(await readAccess(db, userId)),
  seesPaths,
})

type ViewerAccess = Pick<Viewer, 'rule' | 'deletedLibraries'>

const readAccess = async (db: ReadDb, userId: string): Promise<ViewerAccess> => {
  const user = await selectUser(db, userId)
  if (!user) throw notFound('user')
  const rule = (await readViewRules(db, [user]))(user)
  return { rule, deletedLibraries: await selectDeletedLibraries(db) }
}
