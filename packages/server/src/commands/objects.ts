import { parseArgs } from 'node:util'
import { ConfigError, configFromEnvironment } from '../config.ts'
import { openUnfinished } from '../database/unfinished.ts'
import { nameInKey } from '../features/covers/covers.ts'
import { isExportKey } from '../features/exports/exports.ts'
import { AppError } from '../platform/errors.ts'
import { folderStore } from '../platform/objects/folder.ts'
import { moveObjects } from '../platform/objects/move.ts'
import { bucketAt, StoreAway } from '../platform/objects/objects.ts'
import { problemOfStore } from '../platform/objects/problem.ts'
import { type Command, exitCodes } from './command.ts'
import { progressLine } from './progress-line.ts'

export const moveObjectsCommand: Command = {
  help: `Usage: carrel objects move [--back]

Moves covers and exports from the data directory into the object store that CARREL_OBJECT_STORE_URL names. Each is copied,
read back, and only then removed where it was. The server may run meanwhile, and finds each in either place. It can be
ended at any time and called again.

  --back  from the object store into the data directory: call it once more with all servers and workers stopped, before
          you take the settings of the object store away

Exit code 0: all is moved. 1: the store did not answer or refused; what was not moved is where it was.`,
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: { back: { type: 'boolean', default: false } } })
    const { dataDir, objectStore } = configFromEnvironment()
    if (!objectStore) throw new ConfigError('CARREL_OBJECT_STORE_URL is not set: it says where to move, or from where')
    process.umask(0o077)
    const [bucket, folder] = [bucketAt(objectStore), folderStore(dataDir)]
    await using unfinished = await openUnfinished(dataDir)
    const line = progressLine(process.stderr)
    let moved = 0
    try {
      moved = await moveObjects({
        ...(values.back ? { from: bucket, to: folder } : { from: folder, to: bucket }),
        folders: ['covers', 'exports'],
        isOurs: (key) => nameInKey(key) !== undefined || isExportKey(key),
        scratch: (name) => unfinished.in(name),
        onDone: (done) => {
          moved = done
          line.show({ label: 'Objects', step: 'moving', done, total: undefined })
        },
      })
    } catch (error) {
      if (!(error instanceof StoreAway)) throw error
      const problem = problemOfStore(error)
      throw new AppError(
        'unavailable',
        `The object store does not do it (${problem.message}): ${moved} moved, the others are where they were. ${problem.advice}`,
        { cause: error },
      )
    } finally {
      line.clear()
    }
    process.stdout.write(`${moved} moved ${values.back ? 'into the data directory' : 'into the object store'}.\n`)
    return exitCodes.done
  },
}
