import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/**
 * The server's one way to the files of a library (pins W14). A file operation that hangs holds a thread until the
 * storage answers, which may be never: so few are let through for each root and over all, none is waited for longer
 * than the deadline, and a root that let one pass refuses at once until it answers again.
 */
export type RunLimited = <Result>(rootId: string, work: () => Promise<Result>) => Promise<Result>

const deadlineMs = 10_000
const probeEveryMs = 5000
const inFlightMaxOfRoot = 4
const inFlightMax = 40
/** Many who download have a read each that waits, and readers theirs beside them: on storage that answers none waits long. */
const waitingMaxOfRoot = 2000

/** A disk that is gone reports these; unlike a missing file they concern the whole root. */
const storageFaults = new Set([
  'EIO',
  'ESTALE',
  'ENOTCONN',
  'ETIMEDOUT',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENXIO',
  'ENODEV',
])

interface Waiter {
  readonly admit: () => void
  readonly refuse: (reason: AppError) => void
}

interface Root {
  readonly id: string
  /** Reads that nobody waits for any more count too: they still hold a thread. */
  inFlight: number
  readonly waiting: Set<Waiter>
  /** It does not answer; somebody may try again from then on. */
  nextProbeAt: number | undefined
}

export const rootLimiter = (log: Log): RunLimited => {
  const { enter, leave } = slots()

  return async (rootId, work) => {
    const root = await enter(rootId)
    const running = (async () => work())()
    running
      .then(
        () => open(root, log),
        (error: unknown) => {
          if (!isStorageFault(error)) open(root, log)
        },
      )
      .finally(() => leave(root))
    try {
      return await inTime(running, () => shut(root, log))
    } catch (error) {
      throw isStorageFault(error) ? away({ cause: error }) : error
    }
  }
}

/** It counts who holds a slot, and who waits for one. */
const slots = () => {
  const roots = new Map<string, Root>()
  let inFlight = 0

  const rootOf = (id: string): Root => {
    const existing = roots.get(id)
    if (existing) return existing
    const root: Root = { id, inFlight: 0, waiting: new Set(), nextProbeAt: undefined }
    roots.set(id, root)
    return root
  }

  const hasRoom = (root: Root): boolean => root.inFlight < inFlightMaxOfRoot && inFlight < inFlightMax

  const take = (root: Root): void => {
    root.inFlight += 1
    inFlight += 1
  }

  const forgetIdle = (root: Root): void => {
    if (root.inFlight === 0 && root.waiting.size === 0 && root.nextProbeAt === undefined) roots.delete(root.id)
  }

  return {
    enter: async (id: string): Promise<Root> => {
      const root = rootOf(id)
      if (root.nextProbeAt !== undefined) {
        if (performance.now() < root.nextProbeAt || !hasRoom(root)) throw away()
        root.nextProbeAt = performance.now() + probeEveryMs
      }
      if (hasRoom(root)) {
        take(root)
      } else {
        if (root.waiting.size >= waitingMaxOfRoot) throw busy()
        await waitFor(root).finally(() => forgetIdle(root))
      }
      return root
    },
    leave: (root: Root): void => {
      root.inFlight -= 1
      inFlight -= 1
      // Whoever waits for the same root comes first, then whoever waited because there was no room overall.
      const next = [root, ...roots.values()].find((each) => each.waiting.size > 0 && hasRoom(each))
      const [waiter] = next?.waiting ?? []
      if (next && waiter) {
        take(next)
        waiter.admit()
      }
      forgetIdle(root)
    },
  }
}

const shut = (root: Root, log: Log): void => {
  if (root.nextProbeAt === undefined) log.warn({ root: root.id }, 'The storage of a library does not answer')
  root.nextProbeAt = performance.now() + probeEveryMs
  for (const { refuse } of root.waiting) refuse(away())
}

const open = (root: Root, log: Log): void => {
  if (root.nextProbeAt === undefined) return
  root.nextProbeAt = undefined
  log.info({ root: root.id }, 'The storage of a library answers again')
}

const waitFor = (root: Root): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      root.waiting.delete(waiter)
    }
    const waiter: Waiter = {
      admit: () => {
        end()
        resolve()
      },
      refuse: (reason) => {
        end()
        reject(reason)
      },
    }
    const timer = setTimeout(() => waiter.refuse(root.inFlight < inFlightMaxOfRoot ? busy() : away()), deadlineMs)
    root.waiting.add(waiter)
  })

const inTime = async <Result>(running: Promise<Result>, onLate: () => void): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate()
      reject(away())
    }, deadlineMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

const isStorageFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && storageFaults.has(String(error.code))

export const away = (options: ErrorOptions = {}) =>
  new AppError('library_unavailable', 'The storage of this library does not answer. Try again later.', {
    retryAfterSeconds: 5,
    ...options,
  })

const busy = () =>
  new AppError('unavailable', 'Too many files are being read. Try again in a moment.', { retryAfterSeconds: 1 })
