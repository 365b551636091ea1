import { folderGrouping } from './folder.ts'
import { type GroupingPolicy, namesOnPath } from './grouping-policy.ts'
import { namedSeries } from './series-by-name.ts'

/**
 * calibre keeps each book, in all its formats, in `Author/Title (id)`. What it says of a series stands in `metadata.opf`,
 * and a book of which it says none is in no series. What lies otherwise is grouped as in `folder`.
 */
export const calibreGrouping: GroupingPolicy = {
  seriesOf: (relativePath, hints) => {
    const seriesName = hints?.metadataSeries?.normalize('NFC').trim() ?? ''
    const folders = namesOnPath(relativePath).slice(0, -1)
    const title = calibreTitle(folders.at(-1) ?? '')
    const isOfCalibre = title !== undefined && folders.length > 1
    const byPath = isOfCalibre ? { claims: { author: asCalibreMeant(folders.at(-2) ?? ''), title } } : {}
    if (seriesName !== '') return { ...namedSeries(seriesName), ...byPath }
    if (!isOfCalibre) return folderGrouping.seriesOf(relativePath)
    const path = folders.join('/')
    return { key: path, title, path, ...byPath, isOneShot: true }
  },
}

/** Whether what lies in this folder is a book of calibre. */
export const isFolderOfCalibre = (folder: string): boolean => {
  const folders = namesOnPath(folder)
  return folders.length > 1 && calibreTitle(folders.at(-1) ?? '') !== undefined
}

/** The title of a book of calibre by its folder, without the id. */
export const calibreTitle = (folder: string): string | undefined => {
  const title = /^(.*\S) \(\d{1,8}\)$/.exec(folder)?.[1]
  return title === undefined ? undefined : asCalibreMeant(title)
}

/** It writes `_` for what no file may be called. */
const asCalibreMeant = (name: string): string => name.replaceAll('_ ', ': ')
