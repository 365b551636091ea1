import { selectFollowedFolders, updateFollowedFolder } from '../../../catalogue/shown/shown.ts'
import { countFilesBelow } from './queries.ts'
import type { FollowContext } from './follow-context.ts'

const booksAtOnce = 500

/**
 * A folder whose new books go into a series, by somebody's hand, is followed where it goes: when nothing has stayed in it,
 * and all that was in it has gone to one other folder.
 */
export const followMovedFolders = async ({ library, findings, outcome, context }: FollowContext): Promise<void> => {
  if (findings.vanished.length === 0) return
  const followed = await selectFollowedFolders(context.db.readSlowly, library.id)
  if (followed.length === 0) return
  const gone = new Map<string, Map<string, string>>()
  for (const { folder } of followed) {
    const left = findings.vanished.filter(({ stored }) => stored[1].startsWith(folder))
    if (left.length > 0)
      gone.set(folder, new Map(left.map(({ stored }) => [stored[0], stored[1].slice(folder.length)])))
  }
  const rootIds = [...library.roots.map(({ id }) => id), ...library.removedRootIds]
  const counts = await countFilesBelow(context.db.readSlowly, rootIds, [...gone.keys()])
  const wholeFolders = new Map([...gone].filter(([folder, left]) => (counts.get(folder) ?? 0) <= left.size))
  if (wholeFolders.size === 0) return
  const ways = await findWays(outcome, wholeFolders)
  const taken = new Set(followed.map(({ folder }) => folder))
  const moved = followed.flatMap(({ id, folder }) => {
    const [to, ...others] = ways.get(folder) ?? []
    return to === undefined || others.length > 0 || to === '' || taken.has(to) ? [] : [{ id, to }]
  })
  if (moved.length > 0)
    await context.write(async (db) => {
      for (const { id, to } of moved) await updateFollowedFolder(db, id, to)
    })
}

/** By folder: where its books have gone, each keeping its place below. What lies there in another place has gone astray. */
const findWays = async (
  outcome: FollowContext['outcome'],
  folders: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const ways = new Map<string, Set<string>>()
  for await (const identifiedFiles of outcome.identifiedFiles(booksAtOnce)) {
    const folderOf = new Map(identifiedFiles.map(({ bookId, walked: file }) => [bookId, file[0]]))
    for (const [folder, left] of folders) {
      const to = [...left].flatMap(([bookId, below]) => wayOf(folderOf.get(bookId), below) ?? [])
      ways.set(folder, new Set([...(ways.get(folder) ?? []), ...to]))
    }
  }
  return ways
}

/** Empty: a book lies there in another place below than before, or in the root itself. */
const wayOf = (folder: string | undefined, below: string): string | undefined =>
  folder?.endsWith(below) === true ? folder.slice(0, folder.length - below.length) : folder && ''
