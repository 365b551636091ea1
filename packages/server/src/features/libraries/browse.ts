import { constants, type Dirent } from 'node:fs'
import { access, opendir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Browsed, FileSystemEntry } from '@carrel/api'
import { AppError, notFound } from '../../platform/errors.ts'
import { nameFromBytes, pathForSystem } from '../../platform/files/file-names.ts'
import type { RunLimited } from '../../platform/storage/root-limiter.ts'
import { sortKey } from '../../platform/text/sort-key.ts'
import { allowedFolders, limiterKeyOf, isWithin, resolvedPath, type Storage, tidyPath } from './roots.ts'

const entriesMax = 5000
/** Files are passed over; this many names of any kind are read. */
const namesMax = 200_000
/** Where disks are usually mounted; what is there is offered. */
const usualFolders = ['/data', '/home', '/media', '/mnt', '/srv', '/volume1'] as const

export const listDrives = async (storage: Storage): Promise<FileSystemEntry[]> => {
  const allowed = await allowedFolders(storage)
  const folders = allowed ?? ['/', ...usualFolders]
  const entries = await Promise.all(
    folders.map((path) => describe(storage.runLimited, { path, isLink: false }, allowed)),
  )
  return entries.filter(({ isDirectory }) => isDirectory)
}

/** The folders in a folder. Links are shown as links, and lead no further than folders may be chosen. */
export const browse = async (storage: Storage, requestedPath: string | undefined): Promise<Browsed> => {
  const allowed = await allowedFolders(storage)
  const path = requestedPath === undefined ? (allowed?.[0] ?? '/') : tidyPath(requestedPath, 'path')
  requireAllowed(path, allowed)
  const { runLimited } = storage
  try {
    requireAllowed(await resolvedPath(runLimited, path), allowed)
    const { found, truncated } = await runLimited(limiterKeyOf(path), () => foldersIn(path))
    const entries: FileSystemEntry[] = []
    for (const each of found) entries.push(await describe(runLimited, each, allowed))
    const shown = entries.filter(({ isDirectory, isLink }) => isDirectory || isLink)
    return { currentPath: path, parentPath: parentOf(path, allowed), entries: inOrder(shown), truncated }
  } catch (error) {
    throw explained(error, path)
  }
}

const requireAllowed = (path: string, allowed: readonly string[] | undefined): void => {
  if (isAllowed(path, allowed)) return
  throw new AppError('not_allowed', 'Only folders below those that CARREL_LIBRARY_ROOTS names can be looked into.', {
    reason: 'path_not_allowed',
    values: { path },
  })
}

const isAllowed = (path: string, allowed: readonly string[] | undefined): boolean =>
  allowed === undefined || allowed.some((folder) => isWithin(path, folder))

const parentOf = (path: string, allowed: readonly string[] | undefined): string | null => {
  const parent = dirname(path)
  return parent !== path && isAllowed(parent, allowed) ? parent : null
}

interface FolderEntry {
  readonly path: string
  readonly isLink: boolean
}

const foldersIn = async (path: string): Promise<{ found: FolderEntry[]; truncated: boolean }> => {
  // `opendir` has no names as bytes in its types.
  const folder = await opendir(pathForSystem(path), { encoding: 'buffer' as BufferEncoding, bufferSize: 512 })
  const folders: FolderEntry[] = []
  let namesRead = 0
  for await (const entry of folder as AsyncIterable<Dirent<Buffer | string>>) {
    namesRead += 1
    if (folders.length >= entriesMax || namesRead > namesMax) return { found: folders, truncated: true }
    const isLink = entry.isSymbolicLink()
    if (isLink || entry.isDirectory())
      folders.push({ path: within(path, nameFromBytes(Buffer.from(entry.name))), isLink })
  }
  return { found: folders, truncated: false }
}

const within = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`)

const describe = async (
  runLimited: RunLimited,
  { path, isLink }: FolderEntry,
  allowed: readonly string[] | undefined,
): Promise<FileSystemEntry> => {
  const entry = { name: path.slice(path.lastIndexOf('/') + 1) || '/', path, isLink }
  try {
    const leadsTo = isLink ? await resolvedPath(runLimited, path) : path
    if (!isAllowed(leadsTo, allowed)) return { ...entry, isDirectory: false, isReadable: false }
    return await runLimited(limiterKeyOf(leadsTo), async () => {
      const isDirectory = (await stat(pathForSystem(leadsTo))).isDirectory()
      return { ...entry, isDirectory, isReadable: isDirectory && (await mayRead(leadsTo)) }
    })
  } catch (error) {
    // A folder on a disk that does not answer is one all the same.
    return { ...entry, isDirectory: !isLink && error instanceof AppError, isReadable: false }
  }
}

const mayRead = (path: string): Promise<boolean> =>
  access(pathForSystem(path), constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

const inOrder = (entries: readonly FileSystemEntry[]): FileSystemEntry[] =>
  entries
    .map((entry) => ({ entry, key: sortKey(entry.name) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ entry }) => entry)

const explained = (error: unknown, path: string): unknown => {
  if (error instanceof AppError) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG') return notFound('folder')
  if (code === 'EACCES' || code === 'EPERM')
    return new AppError('not_allowed', 'Carrel may not look into this folder.', {
      reason: 'path_unreadable',
      values: { path },
    })
  return error
}
