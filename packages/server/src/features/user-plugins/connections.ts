import type { UserPluginDto } from '@carrel/api'
import type { Context } from '../../context.ts'
import type { WriteDb } from '../../database/database.ts'
import { lockUser } from '../../database/lock-user.ts'
import { wakeAfterCommit } from '../../database/transaction.ts'
import { announce } from '../../events/outbox.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { forgetFolder, forgetStored, type Secrets } from '../plugins/plugins.ts'
import { nobody, readPerson } from './authorization.ts'
import { takesToken } from './needs.ts'
import { deleteConnection, deleteSignInsOf, type Ends, hasChoice, saveChoice, selectOfferedOne } from './queries.ts'
import { connect } from './trust.ts'
import { readUserPlugin, requireOffered } from './user-plugins.ts'

export type ConnectionContext = Pick<Context, 'db' | 'config' | 'settings' | 'clock' | 'secret' | 'log'>

export const secretsOf = ({ secret, config }: Pick<ConnectionContext, 'secret' | 'config'>): Secrets => ({
  secret,
  formerSecret: config.formerSecretKey,
})

const personMs = 5000

/** The user got the token at the service. Whether it is valid shows when the plugin is called. */
export const connectByToken = async (
  context: ConnectionContext,
  { userId, pluginId }: Ends,
  accessToken: string,
): Promise<UserPluginDto> => {
  const { db, settings, clock } = context
  const { manifest } = await requireOffered(db.read, userId, pluginId)
  if (!takesToken(manifest)) throw new AppError('conflict', 'This plugin takes no token.')
  const allowedHosts = settings.get('plugins.oauth_hosts')
  const person = manifest.oauth
    ? await readPerson({ oauth: manifest.oauth, allowedHosts }, accessToken, AbortSignal.timeout(personMs))
    : nobody
  return db.write(async (db) => {
    // It may have been switched off meanwhile.
    await requireOffered(db, userId, pluginId)
    const granted = { accessToken, refreshToken: undefined, lifeSeconds: undefined }
    await connect(db, secretsOf(context), { userId, pluginId, kind: 'token', granted, person, now: clock() })
    return readUserPlugin(db, userId, pluginId)
  })
}

/** Other features delete what the plugin has made for the user. */
export type ForgetMade = (db: WriteDb, ends: Ends) => Promise<void>

/**
 * It deletes all data the plugin has of the user, also while it is switched off. The plugin is off from then on, and
 * its process ends a moment later.
 */
export const disconnect = async (
  { db, config, clock }: ConnectionContext,
  ends: Ends,
  forgetMade: ForgetMade,
): Promise<undefined> => {
  const { userId, pluginId } = ends
  await db.write(async (db) => {
    await lockUser(db, userId)
    const isKnown = (await selectOfferedOne(db, userId, pluginId)) ?? (await hasChoice(db, ends))
    if (!isKnown) throw notFound('plugin')
    const now = clock()
    const at = now.toISOString()
    await deleteConnection(db, ends)
    await deleteSignInsOf(db, ends)
    await saveChoice(db, { ...ends, at }, { enabled: 0, config: '{}', forgotten_at: at })
    await forgetStored(db, ends)
    await forgetMade(db, ends)
    await announce(
      db,
      [{ event: { type: 'recommendations_updated' }, to: { userId, permission: 'progress:read' } }],
      now,
    )
    wakeAfterCommit(db, 'tasks')
  })
  await forgetFolder(config.dataDir, ends)
  return undefined
}
