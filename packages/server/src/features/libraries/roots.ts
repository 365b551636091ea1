import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'
import type { Config } from '../../config.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { nameFromBytes, pathForSystem } from '../../platform/files/file-names.ts'
import type { RunLimited } from '../../platform/storage/root-limiter.ts'

export interface Storage {
  readonly config: Pick<Config, 'libraryRoots' | 'dataDir'>
  readonly runLimited: RunLimited
}

/** Before there is a root to name the limiter by: what is mounted somewhere usually is mounted within two folders. */
export const limiterKeyOf = (path: string): string => `/${path.split('/').slice(1, 3).join('/')}`

/** Without dots, doubled slashes and one at the end. */
export const tidyPath = (path: string, field: string): string => {
  if (!isAbsolute(path))
    throw invalid(field, `"${path}" is not an absolute path: it must begin with a slash.`, {
      reason: 'path_not_absolute',
      values: { path },
    })
  return normalize(path).replace(/(?<=.)\/+$/, '')
}

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Every link is resolved, so that two names of one folder are found to be the same. */
export const resolvedPath = (runLimited: RunLimited, path: string): Promise<string> =>
  runLimited(limiterKeyOf(path), async () => nameFromBytes(await realpath(pathForSystem(path), 'buffer')))

/** Undefined: everywhere. */
export const allowedFolders = async ({ config, runLimited }: Storage): Promise<readonly string[] | undefined> => {
  const { libraryRoots } = config
  if (!libraryRoots) return undefined
  return Promise.all(libraryRoots.map((root) => resolvedPath(runLimited, root).catch(() => root)))
}

/** Folders that libraries can be made of, resolved. Whether another library has them is for the transaction to find out. */
export const checkRoots = async (
  storage: Storage,
  roots: readonly string[],
  fieldOf: (index: number) => string,
): Promise<string[]> => {
  const allowed = await allowedFolders(storage)
  const dataDir = await resolvedPath(storage.runLimited, storage.config.dataDir)
  const resolved: string[] = []
  for (const [index, given] of roots.entries()) {
    const field = fieldOf(index)
    const path = await readableFolder(storage.runLimited, tidyPath(given, field), field)
    if (allowed && !allowed.some((folder) => isWithin(path, folder)))
      throw invalid(field, `"${given}" is not below one of the folders that CARREL_LIBRARY_ROOTS names.`, {
        reason: 'path_not_allowed',
        values: { path: given },
      })
    if (isWithin(path, dataDir) || isWithin(dataDir, path))
      throw invalid(field, `"${given}" is, or holds, the data directory of Carrel.`, {
        reason: 'path_of_data',
        values: { path: given },
      })
    const other = resolved.find((each) => isWithin(path, each) || isWithin(each, path))
    if (other !== undefined)
      throw invalid(field, `"${given}" and "${other}" are one within the other: give only one.`, {
        reason: 'paths_overlap',
        values: { path: given, other },
      })
    resolved.push(path)
  }
  return resolved
}

const readableFolder = async (runLimited: RunLimited, path: string, field: string): Promise<string> => {
  try {
    const resolved = await resolvedPath(runLimited, path)
    await runLimited(limiterKeyOf(resolved), async () => {
      const system = pathForSystem(resolved)
      if (!(await stat(system)).isDirectory())
        throw invalid(field, `"${path}" is not a folder.`, { reason: 'path_no_folder', values: { path } })
      await access(system, constants.R_OK | constants.X_OK)
    })
    return resolved
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalid(field, `"${path}" ${problemOf(error)}.`, { reason: reasonOf(error), values: { path } })
  }
}

const reasonOf = (error: unknown): 'path_missing' | 'path_unreadable' => {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'path_missing' : 'path_unreadable'
}

const problemOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist on the server'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by Carrel: change its owner or its mode'
  if (code === 'ELOOP') return 'is a link that leads to itself'
  if (code === 'ENAMETOOLONG') return 'is longer than the file system lets a path be'
  return `cannot be read (${code ?? 'unknown reason'})`
}
