import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { nameFromBytes, pathForSystem } from '../../../../platform/file-names.ts'

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
export type Listener = (event: 'rename' | 'change', name: string | undefined) => void

export const startWatching = (path: string, listener: Listener): FSWatcher => {
  const hear = (event: string, name: Buffer | string | null): void =>
    listener(
      event === 'change' ? 'change' : 'rename',
      name === null ? undefined : nameFromBytes(Buffer.from(name as Buffer)),
    )
  const watcher = watch(pathForSystem(path), { persistent: false, encoding: 'buffer' }, hear)
  watcher.on('error', ignore)
  return watcher
}

/** What goes wrong with a folder is found out by looking at it. */
const ignore = (): void => undefined

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
