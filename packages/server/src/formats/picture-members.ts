import { sortKey } from '../platform/text/sort-key.ts'

/** It is a member of an archive or a folder. The name has `/` between folders and is only a name. */
export interface Member {
  readonly name: string
  readonly size: number
}

const pictureTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  jfif: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  jxl: 'image/jxl',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heic',
}

/** It guesses the type from the name alone: it is for members that cannot be looked into. */
export const promisedMediaType = (name: string): string | undefined => {
  const dot = name.lastIndexOf('.')
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  return Object.hasOwn(pictureTypes, extension) ? pictureTypes[extension] : undefined
}

/** A member that is named as a page is. What is inside decides in the end. */
export const isNamedAsPicture = ({ name }: Member): boolean => promisedMediaType(name) !== undefined && !isJunk(name)

const junk = /(?:^|\/)(?:\.(?!\.?\/)|__macosx\/|@eadir\/|(?:thumbs\.db|desktop\.ini)$)/i

/** Files that systems leave behind in archives and folders, and hidden files, are not part of the book. */
export const isJunk = (name: string): boolean => junk.test(name)

/** The order people expect, and the pages of a folder together. */
export const inReadingOrder = <Named extends Member>(members: readonly Named[]): Named[] => {
  const folderKeys = new Map<string, string>()
  return members
    .map((member) => ({ member, key: pathKey(member.name, folderKeys) }))
    .sort((a, b) => {
      if (a.key === b.key) return 0
      return a.key < b.key ? -1 : 1
    })
    .map(({ member }) => member)
}

/** The key of each step ends below everything a name can go on with, so that one folder ends before the next begins. */
const pathKey = (path: string, folderKeys: Map<string, string>): string => {
  const slash = path.lastIndexOf('/')
  if (slash === -1) return sortKey(path)
  const folder = path.slice(0, slash)
  let folderKey = folderKeys.get(folder)
  if (folderKey === undefined) {
    folderKey = `${folder.split('/').map(sortKey).join('\0')}\0`
    folderKeys.set(folder, folderKey)
  }
  return folderKey + sortKey(path.slice(slash + 1))
}

const comicInfoName = /^(?:[^/]+\/)?comicinfo\.xml$/i

export const isNamedComicInfo = ({ name }: Pick<Member, 'name'>): boolean => comicInfoName.test(name) && !isJunk(name)

/** The description of a comic: at the top, or in the folder all of it was packed in. */
export const findComicInfo = <Named extends Member>(members: readonly Named[]): Named | undefined => {
  const comicInfos = members.filter(isNamedComicInfo)
  return comicInfos.find(({ name }) => !name.includes('/')) ?? comicInfos[0]
}
