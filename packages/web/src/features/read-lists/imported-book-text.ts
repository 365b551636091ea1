import type { ImportedBook } from '@carrel/api'

/** A book as the list of another program calls it: `Wolverine #42 (2003)`. */
export const importedBookText = ({ series, number, volume, year }: Omit<ImportedBook, 'position'>): string => {
  const when = volume ?? year
  return [series, number === null ? '' : `#${number}`, when === null ? '' : `(${when})`]
    .filter((word) => word !== '')
    .join(' ')
}
