import { analyseLibrary, scanLibrary } from '../src/features/scan/tasks.ts'
import type { WatchTiming } from '../src/features/scan/watch/watch-libraries.ts'
import { comic, type LibraryFolder } from './library-folder.ts'
import { addLibraryOn, booksOf, scanNow } from './scanning.ts'
import { waitUntil } from './smoke/wait-until.ts'
import type { TestServer } from './start-server.ts'
import { workOn } from './work.ts'

export const quick: Partial<WatchTiming> = { librariesEveryMs: 100, dueEveryMs: 20, quietMs: 150, longestWaitMs: 3000 }

export const watchOn = (server: TestServer, watch: Partial<WatchTiming> = {}) =>
  workOn(server, [scanLibrary, analyseLibrary], { settleMs: 20, watch: { ...quick, ...watch } })

/** It waits until what happens in a folder is heard of. */
export const watched = (server: TestServer, path: string, times = 1): Promise<boolean> =>
  waitUntil(
    `the folders of ${path} to be watched`,
    () =>
      server.logLines.filter((line) => line.path === path && line.msg === 'The folders of a library are watched')
        .length >= times,
  )

export const filled = async (folder: LibraryFolder): Promise<void> => {
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await folder.write('B/C/1.cbz', comic({ seed: 2 }))
}

export const watchedLibrary = async (server: TestServer, folder: LibraryFolder): Promise<string> => {
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await follow(server, id)
  return id
}

export const follow = ({ context: { db } }: TestServer, id: string): Promise<void> =>
  db.write(async (db) => {
    await db.updateTable('library').set({ watch: 1 }).where('id', '=', id).execute()
  })

export const statesIn = async (server: TestServer, id: string): Promise<string[]> =>
  [...(await booksOf(server, id))].map(([path, { state, analysis }]) => `${path} ${state} ${analysis}`).sort()

export const seen = (server: TestServer, id: string, what: string): Promise<boolean> =>
  waitUntil(what, async () => (await statesIn(server, id)).includes(what))
