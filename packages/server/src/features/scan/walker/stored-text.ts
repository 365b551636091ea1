import type { WalkedFile, StoredFile, StoredFolder } from './messages.ts'

/*
 * No name holds a slash, so slashes stand between everything. `figures`: name, size, time modified, time changed, inode
 * and whether it is a folder, of one after the other in the order of their names; `ids`: id and device. The database
 * writes them, too (`selectKnownFolders`).
 */
const figuresEach = 6
const idsEach = 2

export const figuresOf = ([, name, size, modifiedUs, changedUs, inode, , isFolder]: WalkedFile): string =>
  `${name}/${size}/${modifiedUs}/${changedUs}/${inode}/${isFolder}`

export const storedFilesIn = ([folder, count, figures, ids]: StoredFolder): StoredFile[] => {
  const fields = figures.split('/')
  const idFields = ids.split('/')
  return Array.from({ length: count }, (_, index) => {
    const position = index * figuresEach
    const number = (offset: number): number => Number(fields[position + offset])
    const isFolder = number(5) === 1 ? 1 : 0
    const [id = '', device] = idFields.slice(index * idsEach, index * idsEach + idsEach)
    const name = fields[position] ?? ''
    return [id, folder, name, number(1), number(2), number(3), number(4), Number(device), isFolder]
  })
}

/** Whether not one of them was on this device. */
export const areElsewhere = ([, , , ids]: StoredFolder, device: number): boolean =>
  ids.split('/').every((field, index) => index % idsEach === 0 || Number(field) !== device)
