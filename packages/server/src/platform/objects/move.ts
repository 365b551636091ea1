import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { ObjectStore } from './store.ts'

export interface Move {
  readonly from: ObjectStore
  readonly to: ObjectStore
  /** Whatever lies below these and is ours is moved. */
  readonly folders: readonly string[]
  readonly isOurs: (key: string) => boolean
  /** It returns the path of a file that is not there. */
  readonly scratch: (name: string) => string
  readonly onDone: (done: number) => void
}

const movedAtOnce = 8

/**
 * Each object is copied, read back and only then removed where it was: an end in the middle leaves it in both places, and the
 * next run goes on. It returns how many it has moved.
 */
export const moveObjects = async ({ from, to, folders, isOurs, scratch, onDone }: Move): Promise<number> => {
  let done = 0
  const moveSome = async (keys: readonly string[]): Promise<void> => {
    // All have ended before anything is thrown: none is left to itself.
    const ends = await Promise.allSettled(
      keys.map((key, at) => moveOne(key, { from, to, path: scratch(`moving-${at}`) })),
    )
    for (const end of ends) {
      if (end.status === 'rejected') throw end.reason
      if (end.value) done += 1
    }
    onDone(done)
  }
  for (const folder of folders) {
    let keys: string[] = []
    for await (const { key } of from.list(folder)) {
      if (!isOurs(key)) continue
      keys.push(key)
      if (keys.length < movedAtOnce) continue
      await moveSome(keys)
      keys = []
    }
    await moveSome(keys)
  }
  return done
}

/** False: it was removed meanwhile. */
const moveOne = async (
  key: string,
  { from, to, path }: Pick<Move, 'from' | 'to'> & { readonly path: string },
): Promise<boolean> => {
  try {
    const before = await copyOut(from, key, path)
    if (before === undefined) return false
    // A run before this one may have come as far as here.
    await to.remove([key])
    await to.putFile(key, path)
    if ((await digestIn(to, key)) !== before) throw new Error(`${key} is not the same where it was copied to`)
    await from.remove([key])
    return true
  } finally {
    await rm(path, { force: true })
  }
}

const copyOut = async (store: ObjectStore, key: string, path: string): Promise<string | undefined> => {
  const object = await store.open(key)
  if (!object) return undefined
  const digest = createHash('sha256')
  const file = await open(path, 'w', 0o600)
  try {
    for await (const chunk of object.read(0, object.size)) {
      digest.update(chunk)
      await file.writeFile(chunk)
    }
  } finally {
    object.close()
    await file.close()
  }
  return digest.digest('hex')
}

const digestIn = async (store: ObjectStore, key: string): Promise<string | undefined> => {
  const object = await store.open(key)
  if (!object) return undefined
  const digest = createHash('sha256')
  try {
    for await (const chunk of object.read(0, object.size)) digest.update(chunk)
  } finally {
    object.close()
  }
  return digest.digest('hex')
}
