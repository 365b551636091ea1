import { runCommand } from '../../../src/commands/commands.ts'
import type { WorkerTiming } from '../../../src/tasks/worker.ts'
import { deafTask, failingTask, longTask, quickTask } from './test-tasks.ts'

/** The whole program, with tasks of tests instead of its own and leases as short as a test wants them. */
const main = async (): Promise<void> => {
  process.exitCode = await runCommand(process.argv.slice(2), {
    definitions: [quickTask, longTask, deafTask, failingTask],
    schedules: [],
    timing: JSON.parse(process.env.TEST_TIMING ?? '{}') as Partial<WorkerTiming>,
  })
}

void main()
