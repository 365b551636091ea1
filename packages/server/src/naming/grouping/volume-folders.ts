import { parseBookName } from '../book-name.ts'
import { isNumberedTitle } from './dividers.ts'
import { type GroupingPolicy, namesOnPath } from './grouping-policy.ts'
import { topFolderGrouping } from './top-folder.ts'

/**
 * It works like `top_folder`, but folders inside a series name the volume to which their files belong: `Series/Volume
 * 01/ch01.cbz`.
 */
export const volumeFoldersGrouping: GroupingPolicy = {
  seriesOf: (relativePath) => {
    const series = topFolderGrouping.seriesOf(relativePath)
    const volumeHint = volumeIn(namesOnPath(relativePath).slice(1, -1), series.title)
    return volumeHint === undefined ? series : { ...series, volumeHint }
  },
}

/** The volume that the deepest of these folders says that says one. */
export const volumeIn = (folders: readonly string[], seriesName: string): number | undefined => {
  if (folders.length === 0) return undefined
  // The books of a folder come one after the other.
  const key = [...folders, seriesName].join('/')
  if (last?.key !== key) last = { key, volume: readVolume(folders, seriesName) }
  return last.volume
}

let last: { readonly key: string; readonly volume: number | undefined } | undefined

const readVolume = (folders: readonly string[], seriesName: string): number | undefined =>
  folders
    .toReversed()
    .map((folder) => volumeOf(folder, seriesName))
    .find((volume) => volume !== undefined)

/** A folder that is called only by a number is a volume too, and so is one that begins with it: `01 - Foundation`. */
const volumeOf = (folder: string, seriesName: string): number | undefined => {
  const { volume, number, title } = parseBookName(folder, { seriesName })
  if (volume !== null) return volume
  if (number === null || !/^\d{1,4}$/.test(number)) return undefined
  return title === null || isNumberedTitle(folder) ? Number(number) : undefined
}
