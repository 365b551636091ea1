import { posix } from 'node:path'
import { extensionsOf } from './extensions.ts'
import type { ScannedLibrary, ScannedRoot } from './library.ts'
import { extensionOf } from './walker/kinds.ts'

export interface ScanError {
  readonly path: string
  readonly code: string
  readonly message: string
}

interface WalkTarget {
  readonly root: ScannedRoot
  /** With a slash at its end; empty for all of the root. */
  readonly folder: string
}

/** Which parts of which roots are to be looked at. A path may be that of a file: then its folder is looked at. */
export const targetsOf = (
  { roots }: Pick<ScannedLibrary, 'roots'>,
  paths: readonly string[],
): { readonly targets: readonly WalkTarget[]; readonly errors: readonly ScanError[] } => {
  if (paths.length === 0) return { targets: roots.map((root) => ({ root, folder: '' })), errors: [] }
  const errors: ScanError[] = []
  const targets: WalkTarget[] = []
  for (const path of paths) {
    const inside = roots.flatMap((root) => folderIn(root, path))
    if (inside.length === 0)
      errors.push({ path, code: 'outside', message: 'This path is in none of the folders of the library.' })
    targets.push(...inside)
  }
  return { targets: withoutNested(targets), errors }
}

const folderIn = (root: ScannedRoot, requestedPath: string): WalkTarget[] => {
  const fullPath = posix.normalize(
    posix.isAbsolute(requestedPath) ? requestedPath : posix.join(root.path, requestedPath),
  )
  if (fullPath === root.path || fullPath === `${root.path}/`) return [{ root, folder: '' }]
  if (!fullPath.startsWith(`${root.path}/`)) return []
  const path = fullPath.slice(root.path.length + 1).replace(/\/+$/, '')
  const folder = isBookName(path) ? path.slice(0, path.lastIndexOf('/') + 1) : `${path}/`
  return [{ root, folder }]
}

const extensions: ReadonlySet<string> = new Set(extensionsOf(null))
const isBookName = (path: string): boolean => extensions.has(extensionOf(posix.basename(path)))

const withoutNested = (targets: readonly WalkTarget[]): WalkTarget[] =>
  targets.filter(
    ({ root, folder }, index) =>
      !targets.some(
        (other, otherAt) =>
          other.root.id === root.id &&
          folder.startsWith(other.folder) &&
          (other.folder.length < folder.length || otherAt < index),
      ),
  )
