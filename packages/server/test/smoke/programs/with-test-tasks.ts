import { runCommand } from '../../../src/commands/commands.ts'
import type { WorkerTiming } from '../../../src/tasks/worker.ts'
import { taskDefinitions } from '../../../src/work.ts'
import { deafTask, failingTask, longTask, quickTask } from './test-tasks.ts'

const { TEST_TIMING: timing, TEST_REST_AFTER_MS: restAfterMs } = process.env

/** The whole program, with tasks of tests beside its own, and leases as short as a test wants them. */
const main = async (): Promise<void> => {
  process.exitCode = await runCommand(process.argv.slice(2), {
    definitions: [...taskDefinitions, quickTask, longTask, deafTask, failingTask],
    schedules: [],
    watch: { quietMs: 50 },
    timing: JSON.parse(timing ?? '{}') as Partial<WorkerTiming>,
    ...(restAfterMs !== undefined && { restAfterMs: Number(restAfterMs) }),
  })
}

void main()
