import { createReadStream } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportFormat } from '@carrel/api'
import { notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Download } from '../../platform/media.ts'

export const exportFolder = (dataDir: string): string => join(dataDir, 'exports')

/** Each try has a name of its own, so that what a failed try has left behind is in nobody's way. */
export const newFileName = (format: ExportFormat, now: Date): string => `${newId(now.getTime())}.${format}`

const ours = /^[0-9a-f-]{36}\.(json|csv|md)$/

export const fileNamesIn = async (folder: string): Promise<string[]> => {
  const found = await readdir(folder).catch((): string[] => [])
  return found.filter((name) => ours.test(name))
}

export const removeFiles = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await rm(join(folder, name), { force: true })
}

export const openExport = async (
  path: string,
  told: Pick<Download, 'etag' | 'modifiedAt' | 'mediaType' | 'fileName'>,
): Promise<Download> => {
  const handle = await open(path, 'r').catch((error: unknown) => {
    // The file was removed this moment, or is in the data directory of the node that wrote it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound('file')
    throw error
  })
  const { size } = await handle.stat()
  return {
    ...told,
    size,
    open: (from, to) => createReadStream(path, { fd: handle, autoClose: false, start: from, end: to - 1 }),
    close: () => void handle.close(),
  }
}
