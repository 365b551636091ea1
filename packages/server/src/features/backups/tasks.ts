import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { defineTask } from '../../tasks/define-task.ts'
import { version } from '../../version.ts'
import { makeBackupApart } from './make-apart.ts'
import { removeOldBackups } from './make.ts'
import { backupFolder } from './names.ts'

const day = 24 * 60 * 60 * 1000

/** It makes a backup into the data directory; only when it is there, older ones go. One at a time. */
export const backUp = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'backup',
  priority: 60,
  endsWithinMs: day,
  key: () => 'all',
  startable: { byHand: true },
  run: async ({ byHand }, { signal, progress }, { config, settings }: Pick<Context, 'config' | 'settings'>) => {
    const folder = backupFolder(config.dataDir)
    const made = await makeBackupApart(
      {
        address: config.database,
        dataDir: config.dataDir,
        objectStore: config.objectStore,
        target: { folder },
        reason: byHand ? 'manual' : 'scheduled',
        program: version,
      },
      {
        signal,
        onProgress: ({ step, done, total }) => progress({ current: done, total: total ?? 0, message: step }),
      },
    )
    const removed = await removeOldBackups(folder, settings.get('backup.keep'))
    return { result: { ...made, removed }, items: made.rows, bytes: made.size }
  },
})
