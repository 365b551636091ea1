import { flushCompileCache } from 'node:module'
import type { FromWatcher, ToWatcher } from './messages.ts'
import { Room } from './room.ts'
import { RootWatch } from './root-watch.ts'
import { stepBackTo } from '../../../../platform/processes/step-back.ts'

/** A process that only listens: storage that hangs holds up nobody else, and it can be given up. */
const niceness = 10
stepBackTo(niceness)

/** Names are gathered this long, so that a file that is written to is looked at once. */
const sortEveryMs = 500

const roots = new Map<string, RootWatch>()
const withNews = new Set<RootWatch>()
let sorting: NodeJS.Timeout | undefined

const tell = (message: FromWatcher): void => {
  process.send?.(message, undefined, undefined, () => undefined)
}

/** Resolves when it has been sent: once the storage is asked it may be too late to say so. */
const tellFirst = (message: FromWatcher): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve())
    else resolve()
  })

/** One piece of work after the other. */
let working: Promise<void> = Promise.resolve()
const work = (root: RootWatch, piece: () => Promise<void>): void => {
  const before = working
  working = (async () => {
    await before
    if (roots.get(root.id) !== root) return
    await tellFirst({ kind: 'busy', rootId: root.id })
    await piece()
    tell({ kind: 'free' })
  })()
}

const leave = (rootId: string): void => {
  const root = roots.get(rootId)
  roots.delete(rootId)
  // What it is just doing is finished first.
  working = working.then(() => root?.close())
}

const sortAll = (): void => {
  sorting = undefined
  for (const root of withNews) work(root, () => root.sort())
  withNews.clear()
}

const room = new Room(
  (by, folders) => tell({ kind: 'limited', by, folders }),
  () => {
    for (const root of roots.values()) root.lose()
  },
)

const onNews = (root: RootWatch): void => {
  withNews.add(root)
  sorting ??= setTimeout(sortAll, sortEveryMs)
}

process.on('message', (message: ToWatcher) => {
  if (message.kind === 'watch') {
    const root = new RootWatch(message.root, { tell, room, onNews })
    leave(root.id)
    roots.set(root.id, root)
    work(root, () => root.check())
  } else if (message.kind === 'leave') leave(message.rootId)
  else for (const root of roots.values()) work(root, () => root.check())
})
process.once('disconnect', () => process.exit(0))
// It is killed in the end, and then nothing of what it has compiled would be kept for the next.
flushCompileCache()
