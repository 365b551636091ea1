import type { InstallPackageRequest } from '@carrel/api'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { AppError, invalid, notFound } from '../../../platform/errors.ts'
import { defineTask } from '../../../tasks/define-task.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { installed } from './install.ts'
import {
  deletePackage,
  raiseRevisionsOfPackage,
  savePackage,
  selectNamesByPackage,
  selectPackage,
  selectPayloadOf,
} from '../queries.ts'

type PackageContext = Pick<Context, 'config' | 'settings'>

const minute = 60_000

/** The administrator's permission is checked again when the installation is done. */
export const installPluginPackage = defineTask(
  Type.Object({ source: Type.String(), nameOrPath: Type.String(), version: Type.String() }),
  {
    type: 'install_plugin_package',
    priority: 600,
    attemptsMax: 1,
    endsWithinMs: 15 * minute,
    key: ({ source, nameOrPath }) => `${source} ${nameOrPath}`,
    run: async ({ source, nameOrPath, version }, { finish, clock, signal }, { config, settings }: PackageContext) => {
      if (source === 'npm') requireAllowed(settings, nameOrPath)
      const newPackage =
        source === 'npm'
          ? await installed.fromNpm(config, { name: nameOrPath, version }, signal)
          : await installed.fromFolder(config, nameOrPath)
      await finish(async (db) => {
        await savePackage(db, { ...newPackage, installed_at: clock().toISOString() })
        // Running processes of the older version are out of date.
        await raiseRevisionsOfPackage(db, newPackage.name)
        return { result: { name: newPackage.name, version: newPackage.version } }
      })
      return undefined
    },
  },
)

export const installPackage = async (
  { db, settings, clock }: Pick<Context, 'db' | 'settings' | 'clock'>,
  body: InstallPackageRequest,
): Promise<{ taskId: string }> => {
  if (body.source === 'npm') requireAllowed(settings, body.name)
  const payload =
    body.source === 'npm'
      ? { source: 'npm', nameOrPath: body.name, version: body.version }
      : { source: 'folder', nameOrPath: body.path, version: '' }
  return db.write(async (db) => {
    const { taskId, alreadyRunning } = await enqueue(db, installPluginPackage, payload, { now: clock() })
    if (alreadyRunning && (await selectPayloadOf(db, taskId)) !== JSON.stringify(payload))
      throw new AppError('conflict', 'Another version of it is being installed. Try again when that is done.', {
        reason: 'running_already',
      })
    return { taskId }
  })
}

/** Its folder, if it came from npm, goes in the night with all that nothing names any more, on every node. */
export const removePackage = ({ db }: Pick<Context, 'db'>, name: string): Promise<void> =>
  db.write(async (db) => {
    const row = await selectPackage(db, name)
    if (!row) throw notFound('package')
    if (row.source === 'built_in') throw new AppError('conflict', 'It comes with Carrel.')
    const users = await selectNamesByPackage(db, name, namedMax)
    if (users.length > 0)
      throw new AppError('conflict', `It is what ${users.join(', ')} runs: delete that plugin first.`, {
        reason: 'plugin_in_use',
        values: { users: users.join(', ') },
      })
    await deletePackage(db, name)
  })

const namedMax = 3

const requireAllowed = (settings: Context['settings'], name: string): void => {
  if (settings.get('plugins.allowed_packages').includes(name)) return
  throw invalid('/name', `The setting plugins.allowed_packages does not name ${name}.`)
}
