import { fold } from '../../platform/text/sort-key.ts'
import { bookTitle } from '../book-name.ts'
import { parseSeriesName } from '../series-name.ts'
import {
  bareNumber,
  type Divider,
  isNumberedTitle,
  isOneShotFolder,
  languageOfFolder,
  readDivider,
  yearOfRun,
} from './dividers.ts'
import { type GroupingPolicy, namesOnPath, type PathClaims, type GroupedSeries } from './grouping-policy.ts'
import { keyIn, namedSeries, readBook, seriesByName } from './series-by-name.ts'

/**
 * Every folder that directly holds books is a series; one that only divides belongs to the folder above it. Books in the
 * root are grouped by the series their names say.
 */
export const folderGrouping: GroupingPolicy = {
  seriesOf: (relativePath) => {
    const names = namesOnPath(relativePath)
    const name = names.at(-1) ?? ''
    if (names.length < 2) return seriesByName(name)
    return seriesInFolders(names.slice(0, -1))(name)
  },
}

type SeriesOfName = (name: string) => GroupedSeries

/** The books of a folder come one after the other, and each asks the same of it. */
const seriesInFolders = (folders: readonly string[]): SeriesOfName => {
  const path = folders.join('/')
  if (last?.path !== path) last = { path, seriesOf: readFolders(folders) }
  return last.seriesOf
}

let last: { readonly path: string; readonly seriesOf: SeriesOfName } | undefined

const readFolders = (folders: readonly string[]): SeriesOfName => {
  const deepest = folders.at(-1) ?? ''
  const isOneShots = isOneShotFolder(deepest) && (folders.length === 1 || deepest.startsWith('_'))
  if (isOneShots) return (name) => oneShotIn(folders, name)
  const seriesOf = divided(folders)
  if (folders.length > 1 && isNumberedTitle(deepest)) return partOrSeries(folders, seriesOf)
  const number = folders.length > 1 ? bareNumber(deepest) : undefined
  if (number === undefined) return seriesOf
  const asVolume = divided(folders.slice(0, -1), { volume: number })
  // `52/52 001.cbz`: here the number is the name of the series.
  return (name) => (readBook(name, deepest).seriesTitle === deepest ? seriesOf(name) : asVolume(name))
}

/** `One Piece/01 - Romance Dawn/One Piece 001.cbz`: the name of the book says that the folder is a part of the series above it. */
const partOrSeries = (folders: readonly string[], seriesOf: SeriesOfName): SeriesOfName => {
  const above = folders.slice(0, -1)
  const nameAbove = nameOfSeries(withoutDividers(above).own)
  const title = fold(parseSeriesName(nameAbove).title)
  const asPart = divided(above, {})
  return (name) => (fold(readBook(name, nameAbove).seriesTitle ?? '') === title ? asPart(name) : seriesOf(name))
}

/** Folders that only divide are taken off from the end, as long as there is one above them. */
const divided = (folders: readonly string[], inner?: Divider): SeriesOfName => {
  const { own, volume, isSpecial } = withoutDividers(folders, inner)
  const folder = own.at(-1) ?? ''
  const claims = claimsFrom(own, isSpecial)
  // What divides the root itself names no series.
  const ofRoot = own.length === 1 ? readDivider(folder, '') : undefined
  const byName = ofRoot && groupByName(folder, { ...ofRoot, ...(isSpecial && { isSpecial }) })
  if (byName && !/\d/.test(folder)) return byName
  const path = own.join('/')
  const namedAfter = nameOfSeries(own)
  const series = {
    key: path,
    title: titleOf(own),
    path,
    ...(volume !== undefined && { volumeHint: volume }),
    ...(namedAfter !== folders.at(-1) || inner ? { namedAfter } : {}),
    ...(claims && { claims }),
  }
  return (name) => (byName && readBook(name, folder).seriesTitle !== null ? byName(name) : series)
}

const groupByName =
  (folder: string, { volume, isSpecial }: Divider): SeriesOfName =>
  (name) => ({
    ...seriesByName(name, folder),
    ...(volume !== undefined && { volumeHint: volume }),
    ...(isSpecial && { claims: { isSpecial } }),
  })

const withoutDividers = (folders: readonly string[], inner: Divider = {}) => {
  let { volume, isSpecial } = inner
  let count = folders.length
  for (; count > 1; count -= 1) {
    const divider = readDivider(folders[count - 1] ?? '', parseSeriesName(folders[count - 2] ?? '').title)
    if (!divider) break
    volume ??= divider.volume
    isSpecial ??= divider.isSpecial
  }
  return { own: folders.slice(0, count), volume, isSpecial }
}

const titleOf = (folders: readonly string[]): string => {
  const folder = folders.at(-1) ?? ''
  const above = folders.slice(0, -1)
  if (above.length > 0 && languageOfFolder(folder) !== undefined)
    return `${titleOf(withoutDividers(above).own)} (${folder})`
  const year = above.length === 0 ? undefined : yearOfRun(folder)
  const { title } = parseSeriesName(nameOfSeries(folders))
  return year === undefined ? title : `${title} (${year})`
}

/** A year alone is called as the series whose run it is, and a language as the one that it has been translated from. */
const nameOfSeries = (folders: readonly string[]): string => {
  const folder = folders.at(-1) ?? ''
  const isOfAbove = yearOfRun(folder) !== undefined || languageOfFolder(folder) !== undefined
  if (folders.length < 2 || !isOfAbove) return folder
  return nameOfSeries(withoutDividers(folders.slice(0, -1)).own)
}

const claimsFrom = (folders: readonly string[], isSpecial: true | undefined): PathClaims | undefined => {
  const above = folders.slice(0, -1)
  const folder = folders.at(-1) ?? ''
  const year = yearOfRun(folder) ?? parseSeriesName(folder).year ?? undefined
  const language = above.length === 0 ? undefined : languageOfFolder(folder)
  if (above.length === 0 && year === undefined && isSpecial === undefined) return undefined
  return {
    ...(above.length > 0 && { above }),
    ...(year !== undefined && { year }),
    ...(language !== undefined && { language }),
    ...(isSpecial && { isSpecial }),
  }
}

/** Each book is for itself, whatever its name is like. */
const oneShotIn = (folders: readonly string[], name: string): GroupedSeries => {
  const { key, ...series } = namedSeries(bookTitle(name))
  return { ...series, key: keyIn(folders, key), isOneShot: true }
}
