import type { Log } from '../platform/log.ts'
import type { TaskDefinition } from './define-task.ts'
import type { TaskRow } from './queries.ts'
import { type EndedRun, type Run, type RunContext, startRun, type StopReason } from './run.ts'

export interface HoldOptions<Resources> extends RunContext<Resources> {
  readonly log: Log
  readonly definitions: readonly TaskDefinition<never, Resources>[]
  /** This many tasks run at the same time. */
  readonly concurrency: number
  /** A run goes on although it was told to stop long ago: only the end of the process ends it. */
  readonly onStuck: (task: Pick<TaskRow, 'id' | 'type'>) => void
  readonly settleMs: number
}

/** It holds changes of tasks that are still to be written. */
interface News<Resources> {
  readonly ended: readonly EndedRun<Resources>[]
  /** Nothing of these tasks is running any more. */
  readonly letGo: readonly string[]
}

/**
 * A worker claims about as many short tasks in advance as are done in this time, so that one commit serves many of
 * them.
 */
const aheadMs = 50
const aheadMax = 50
/** What was claimed in advance waits no longer than this behind tasks that take longer than was thought: other workers may be free. */
const stalledMs = 1000

/** It holds the tasks of a worker: those that run, those that are next, and what is to be written about the others. */
export class Hold<Resources> {
  readonly definitionOf: ReadonlyMap<string, TaskDefinition<never, Resources>>
  readonly #options: HoldOptions<Resources>
  readonly #onNews: () => void
  /**
   * The set holds runs, not tasks: a run that took too long may still be running when the same task is claimed again.
   */
  readonly #running = new Set<Run>()
  /**
   * These runs lost their task while they ran. They keep their slots until they have stopped; nothing is written for
   * them.
   */
  readonly #lost = new Set<Run>()
  #waiting: TaskRow[] = []
  #ended: EndedRun<Resources>[] = []
  #letGo: string[] = []
  #usualMs = Number.POSITIVE_INFINITY
  #begunAt = performance.now()

  constructor(options: HoldOptions<Resources>, onNews: () => void) {
    this.#options = options
    this.#onNews = onNews
    this.definitionOf = new Map(options.definitions.map((definition) => [definition.type, definition]))
  }

  /** It counts how many more tasks the worker could take now. */
  get room(): number {
    const { concurrency } = this.#options
    const ahead = this.#isStalled ? 0 : Math.min(aheadMax, Math.floor((concurrency * aheadMs) / this.#usualMs))
    return concurrency + ahead - this.#running.size - this.#lost.size - this.#waiting.length
  }

  get hasNews(): boolean {
    return this.#ended.length + this.#letGo.length > 0
  }

  /** It says whether the worker runs something according to the database. */
  get holdsTasks(): boolean {
    return this.#running.size + this.#waiting.length + this.#ended.length > 0
  }

  /** Nothing runs any more, those included whose task is somebody else's by now, and nothing is to be written. */
  get isIdle(): boolean {
    return !this.holdsTasks && !this.hasNews && this.#lost.size === 0
  }

  get #isStalled(): boolean {
    const isFull = this.#running.size + this.#lost.size >= this.#options.concurrency
    return isFull && performance.now() - this.#begunAt > stalledMs
  }

  /** It says whether there are tasks that it knew of and leaves to others now. */
  dropsWaiting(): boolean {
    if (this.#waiting.length === 0 || !this.#isStalled) return false
    this.#waiting = []
    return true
  }

  take(tasks: readonly TaskRow[]): void {
    this.#waiting.push(...tasks)
    this.#runNext()
  }

  collectNews(): News<Resources> {
    const news = { ended: this.#ended, letGo: this.#letGo }
    this.#ended = []
    this.#letGo = []
    return news
  }

  /** It could not be written down. */
  putBack({ ended, letGo }: News<Resources>): void {
    this.#ended.unshift(...ended)
    this.#letGo.unshift(...letGo)
  }

  /**
   * It stops what the database does not give to this worker any more, by the number it runs under. It returns what the
   * database gives to it that it knows nothing of.
   */
  compareWith(held: ReadonlyMap<string, number>): string[] {
    const isHeld = ({ id, fence }: TaskRow): boolean => held.get(id) === fence
    for (const run of this.#running) if (!isHeld(run.task) && !run.isFinishing()) run.stop('cancelled')
    const [ours, gone] = partition(this.#waiting, isHeld)
    this.#waiting = ours
    this.#letGo.push(...gone.map(({ id }) => id))
    const taskIds = new Set([...this.#running, ...this.#ended].map(({ task }) => task.id))
    for (const { id } of ours) taskIds.add(id)
    return [...held.keys()].filter((id) => !taskIds.has(id))
  }

  /** It tells everything that runs to stop, and starts nothing more. */
  stopAll(reason: StopReason): void {
    this.#waiting = []
    for (const run of this.#running) run.stop(reason)
    if (reason !== 'lost') return
    this.#ended = []
    for (const run of this.#running) this.#lost.add(run)
    this.#running.clear()
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#running, ...this.#lost].map((run) => run.settled))
  }

  #runNext(): void {
    while (this.#running.size + this.#lost.size < this.#options.concurrency) {
      const task = this.#waiting.shift()
      const definition = task && this.definitionOf.get(task.type)
      if (!definition) return
      this.#begunAt = performance.now()
      void this.#run(task, definition)
    }
  }

  async #run(task: TaskRow, definition: TaskDefinition<never, Resources>): Promise<void> {
    const run = startRun(task, definition, this.#options)
    this.#running.add(run)
    const { outcome, durationMs } = await run.ended
    this.#usualMs = Number.isFinite(this.#usualMs) ? 0.9 * this.#usualMs + 0.1 * durationMs : durationMs
    if (isKept(outcome) && !this.#lost.has(run)) {
      this.#ended.push({ task, definition, outcome, durationMs, progress: run.latestProgress() })
      this.#onNews()
    }
    await this.#settle(run)
    const wasLost = this.#lost.delete(run)
    this.#running.delete(run)
    if (outcome.kind === 'lost' && !wasLost) this.#letGo.push(task.id)
    this.#runNext()
    this.#onNews()
  }

  /** It keeps its place until nothing of it runs any more. */
  async #settle({ task, settled }: Run): Promise<void> {
    const { log, onStuck, settleMs } = this.#options
    const timer = setTimeout(() => {
      log.error({ taskId: task.id, taskType: task.type }, 'A task does not stop; its process will be replaced')
      onStuck(task)
    }, settleMs)
    await settled
    clearTimeout(timer)
  }
}

const isKept = (outcome: Awaited<Run['ended']>['outcome']): outcome is EndedRun<unknown>['outcome'] =>
  outcome.kind === 'completed' || outcome.kind === 'failed' || outcome.kind === 'put off'

const partition = <Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(belongs),
  items.filter((item) => !belongs(item)),
]
