import { constants } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../platform/errors.ts'
import { makeLastingFolder, syncPath } from '../../platform/files/durable-files.ts'
import { bucketAt, type ObjectStore, type StoredAt } from '../../platform/objects/objects.ts'

/** The bytes of uploads, which come in parts to any node and are read by another. */
export interface UploadParts {
  /** So many have come without a gap. */
  received(id: string): Promise<number>
  add(id: string, offset: number, bytes: Uint8Array): Promise<void>
  /** It returns the path of the whole file, which lies in that folder unless it is on this machine anyway. */
  gather(id: string, scratch: string): Promise<string>
  remove(id: string): Promise<void>
  /** It returns the ids of all of which there is something. */
  ids(): Promise<string[]>
}

/** Files are written and read here. */
export const uploadFolder = ({ dataDir }: StoredAt): string => join(dataDir, folder)

export const uploadParts = (storedAt: StoredAt): UploadParts =>
  storedAt.objectStore ? partsIn(bucketAt(storedAt.objectStore)) : filesIn(uploadFolder(storedAt))

const folder = 'imports'
const suffix = '.upload'

/** What is here is known by the file alone: a part that was not written to its end is sent again from there. */
const filesIn = (root: string): UploadParts => {
  const pathOf = (id: string): string => join(root, `${id}${suffix}`)
  return {
    received: async (id) => (await stat(pathOf(id)).catch(ifMissing(undefined)))?.size ?? 0,
    add: async (id, offset, bytes) => {
      await makeLastingFolder(root)
      const file = await open(pathOf(id), constants.O_WRONLY | constants.O_CREAT, 0o600)
      try {
        // Where it belongs, and not behind what is there: the same part may come twice at once.
        for (let written = 0; written < bytes.byteLength;)
          written += (await file.write(bytes, written, bytes.byteLength - written, offset + written)).bytesWritten
        await file.sync().catch(async (error: unknown) => {
          // Its length counts as received, and nobody knows what of it the disk has: the upload begins anew.
          await rm(pathOf(id), { force: true })
          throw error
        })
      } finally {
        await file.close()
      }
      if (offset === 0) await syncPath(root)
    },
    gather: async (id) => pathOf(id),
    remove: (id) => rm(pathOf(id), { force: true }),
    ids: async () => {
      const names = await readdir(root).catch(ifMissing<string[]>([]))
      return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length))
    },
  }
}

/** Each part is listed whenever another one comes; a client that sends tiny ones would make too many. */
const partsMax = 10_000

/** Each part is an object, named by the place where it begins: one that comes twice replaces itself. */
const partsIn = (bucket: ObjectStore): UploadParts => {
  const keyOf = (id: string, offset: number): string => `${folder}/${id}/${String(offset).padStart(12, '0')}`

  /** They follow each other from the first byte on. */
  const partsOf = async (id: string): Promise<{ readonly keys: string[]; readonly received: number }> => {
    const sizes = new Map<string, number>()
    for await (const { key, size } of bucket.list(`${folder}/${id}`)) sizes.set(key, size)
    const keys: string[] = []
    let received = 0
    for (let size = sizes.get(keyOf(id, 0)); size; size = sizes.get(keyOf(id, received))) {
      keys.push(keyOf(id, received))
      received += size
    }
    return { keys, received }
  }

  return {
    received: async (id) => (await partsOf(id)).received,
    add: async (id, offset, bytes) => {
      if (bytes.byteLength === 0) return
      if ((await partsOf(id)).keys.length >= partsMax)
        throw new AppError('conflict', `An upload may have ${partsMax} parts here. Send larger ones.`, {
          reason: 'form_wrong',
        })
      await bucket.put(keyOf(id, offset), bytes)
    },
    gather: async (id, scratch) => {
      const path = join(scratch, 'gathered')
      const file = await open(path, 'wx', 0o600)
      try {
        for (const key of (await partsOf(id)).keys) {
          const part = await bucket.get(key)
          // It was removed this moment: what is read of it now is not whole, and nobody wants it.
          if (!part) break
          await file.writeFile(part)
        }
      } finally {
        await file.close()
      }
      return path
    },
    remove: async (id) => {
      const keys: string[] = []
      for await (const { key } of bucket.list(`${folder}/${id}`)) keys.push(key)
      await bucket.remove(keys)
    },
    ids: async () => {
      const ids = new Set<string>()
      for await (const { key } of bucket.list(folder)) ids.add(key.split('/')[1] ?? '')
      return [...ids]
    },
  }
}

const ifMissing =
  <Fallback>(fallback: Fallback) =>
  (error: unknown): Fallback => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback
    throw error
  }
