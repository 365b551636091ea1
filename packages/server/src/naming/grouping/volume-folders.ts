import { parseBookName } from '../book-name.ts'
import { folderGrouping } from './folder.ts'
import { type GroupingPolicy, namesOnPath } from './grouping-policy.ts'

/**
 * It works like `folder`, but folders inside a series name the volume to which their files belong: `Series/Volume
 * 01/ch01.cbz`.
 */
export const volumeFoldersGrouping: GroupingPolicy = {
  name: 'volume_folders',
  seriesOf: (relativePath) => {
    const place = folderGrouping.seriesOf(relativePath)
    const folders = namesOnPath(relativePath).slice(1, -1)
    const volumeHint = folders
      .toReversed()
      .map((folder) => volumeOf(folder, place.title))
      .find((volume) => volume !== undefined)
    return volumeHint === undefined ? place : { ...place, volumeHint }
  },
}

/** A folder that is called only by a number is a volume too. */
const volumeOf = (folder: string, seriesName: string): number | undefined => {
  const { volume, number, title } = parseBookName(folder, { seriesName })
  if (volume !== null) return volume
  return number !== null && title === null && /^\d{1,4}$/.test(number) ? Number(number) : undefined
}
