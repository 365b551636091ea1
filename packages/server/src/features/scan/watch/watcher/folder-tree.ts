import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { nameFromBytes, pathForSystem } from '../../../../platform/files/file-names.ts'

/** A folder that is watched, or was to be. */
export interface Folder {
  readonly name: string
  readonly above: Folder | undefined
  below: Map<string, Folder> | undefined
  watcher: FSWatcher | undefined
}

export const newFolder = (name: string, above: Folder | undefined): Folder => ({
  name,
  above,
  below: undefined,
  watcher: undefined,
})

/** Relative to the root, with a slash at its end; empty for the root. */
export const pathOf = (folder: Folder): string => (folder.above ? `${pathOf(folder.above)}${folder.name}/` : '')

export const depthOf = ({ above }: Folder): number => (above ? depthOf(above) + 1 : 0)

/** Undefined for a name that the system did not tell. */
export type Listener = (folder: Folder, event: 'rename' | 'change', name: string | undefined) => void

interface FolderWatcher extends FSWatcher {
  folder?: Folder
  listener?: Listener
}

/** One for all folders: with one for each, a third more memory would go to them. */
function hear(this: FolderWatcher, event: string, name: Buffer | string | null): void {
  if (this.folder === undefined) return
  const text = name === null ? undefined : nameFromBytes(Buffer.from(name as Buffer))
  this.listener?.(this.folder, event === 'change' ? 'change' : 'rename', text)
}

const quietly = { persistent: false, encoding: 'buffer' } as const

export const startWatching = (folder: Folder, path: string, listener: Listener): void => {
  const watcher: FolderWatcher = watch(pathForSystem(path), quietly, hear)
  watcher.folder = folder
  watcher.listener = listener
  folder.watcher = watcher
}

export const namesOfFolders = (path: string): string[] =>
  readdirSync(pathForSystem(path), { withFileTypes: true, encoding: 'buffer' })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => nameFromBytes(name))

/** Closes what is watched from this folder down; answers how many folders that were. */
export const stopWatching = (folder: Folder): number => {
  let closed = 0
  const open = [folder]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.watcher) closed += 1
    next.watcher?.close()
    next.watcher = undefined
    if (next.below) open.push(...next.below.values())
    next.below = undefined
  }
  return closed
}
