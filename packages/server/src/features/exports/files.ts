import { join } from 'node:path'
import type { ExportFormat } from '@carrel/api'
import { notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Download } from '../../platform/media.ts'
import { objectsAt, StoreAway, type StoredAt } from '../../platform/objects/objects.ts'

const folder = 'exports'

/** They are written here, whatever keeps them then. */
export const exportFolder = ({ dataDir }: StoredAt): string => join(dataDir, folder)

const keyOf = (name: string): string => `${folder}/${name}`

/** Each try has a name of its own, so that what a failed try has left behind is in nobody's way. */
export const newFileName = (format: ExportFormat, now: Date): string => `${newId(now.getTime())}.${format}`

const ours = /^[0-9a-f-]{36}\.(json|csv|md)$/

export const fileNamesIn = async (storedAt: StoredAt): Promise<string[]> => {
  const names: string[] = []
  for await (const { key } of objectsAt(storedAt).list(folder)) {
    const name = key.slice(keyOf('').length)
    if (ours.test(name)) names.push(name)
  }
  return names
}

/** An object that keeps a finished export. */
export const isExportKey = (key: string): boolean => key.startsWith(keyOf('')) && ours.test(key.slice(keyOf('').length))

export const keepFile = (storedAt: StoredAt, path: string, name: string): Promise<void> =>
  objectsAt(storedAt).putFile(keyOf(name), path)

export const removeFiles = async (storedAt: StoredAt, names: readonly string[]): Promise<void> => {
  try {
    await objectsAt(storedAt).remove(names.map(keyOf))
  } catch (error) {
    // They belong to no export any more, and go with the next cleaning.
    if (!(error instanceof StoreAway)) throw error
  }
}

export const openExport = async (
  storedAt: StoredAt,
  name: string,
  told: Pick<Download, 'etag' | 'modifiedAt' | 'mediaType' | 'fileName'>,
): Promise<Download> => {
  const file = await objectsAt(storedAt).open(keyOf(name))
  // The file was removed this moment, or is in the data directory of the node that wrote it.
  if (!file) throw notFound('file')
  return { ...told, size: file.size, open: file.read, close: file.close }
}
