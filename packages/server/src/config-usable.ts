import { accessSync, constants, statSync } from 'node:fs'
import { ConfigError } from './config-kinds.ts'

interface Locations {
  readonly dataDir: string
  readonly database: { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres' }
}

/** Where settings name something of the wrong kind, or what may not be read, whoever comes first would meet it in words of SQLite. */
export const usable = <Settings extends Locations>(config: Settings): Settings => {
  const { dataDir, database } = config
  if (isFolder('CARREL_DATA_DIR', dataDir) === false)
    throw new ConfigError(
      `CARREL_DATA_DIR is ${JSON.stringify(dataDir)}, which is no folder: remove it, or name a folder`,
    )
  if (database.kind === 'sqlite' && isFolder('The database', database.file))
    throw new ConfigError(
      `The database is ${JSON.stringify(database.file)}, which is a folder: remove it, or name a file`,
    )
  return config
}

/** Undefined: nothing is there yet, or it does not answer, which is told by whoever opens it. */
const isFolder = (what: string, path: string): boolean | undefined => {
  try {
    const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    if (isDirectory !== undefined) accessSync(path, constants.R_OK)
    return isDirectory
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') return undefined
    throw new ConfigError(`${what} is ${JSON.stringify(path)}, which this account may not read (${message})`, {
      cause: error,
    })
  }
}
