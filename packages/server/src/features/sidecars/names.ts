import { hash } from 'node:crypto'
import { pathBelow } from '../../platform/files/file-names.ts'
import { sidecarSuffix } from './document.ts'

/** What no file system takes as a name, and what leads elsewhere. */
const unfit = /[\p{Cc}/\\:*?"<>|]/gu
const nameBytesMax = 180

/** Two libraries may be called alike but for signs that cannot stand in a name. */
export const nameOfLibraryFolder = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  `${fit(name)} ${id.slice(-8)}`

/**
 * The folders are those of the library; files of its second folder and the next are told apart by its place, and so are
 * those of the first that lie in a folder which is called like one.
 */
export const nameOfBookSidecar = (file: {
  readonly position: number
  readonly folder: string
  readonly name: string
}): string => {
  const { position, folder, name } = file
  const root = position === 0 && !/^\d+\//.test(folder) ? '' : `${position + 1}/`
  return `${root}${foldersOf(folder)}${shortened(name)}${sidecarSuffix}`
}

export const nameOfSeriesSidecar = ({ id, path }: { readonly id: string; readonly path: string | null }): string =>
  `${path === null ? '' : foldersOf(`${path}/`)}series-${id}${sidecarSuffix}`

/** A name may be as long as a file system takes: there is no room for our ending then, and no sidecar. */
export const placeBeside = (root: string, folder: string, name: string): string =>
  pathBelow(root, folder, `${name}${sidecarSuffix}`)

const foldersOf = (folder: string): string =>
  folder
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => `${shortened(part)}/`)
    .join('')

/** A name as long as a file system takes has no room for our ending; and what is no text in a name is none here. */
const shortened = (name: string): string => {
  const isFit = Buffer.byteLength(name) <= nameBytesMax && !name.includes(noText)
  if (isFit) return name
  const beginning = Buffer.from(name.replaceAll(noText, '_')).subarray(0, nameBytesMax).toString()
  return `${beginning.replaceAll(noText, '')}~${hash('sha1', name, 'hex').slice(0, 12)}`
}

const noText = '\uFFFD'

const fit = (name: string): string =>
  shortened(name.toWellFormed().replaceAll(unfit, '_').replace(/^\.+/, '_').trim() || '_')
