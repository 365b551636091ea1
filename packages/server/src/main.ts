import { runCommand } from './commands/commands.ts'
import { endWithLauncher } from './commands/end-with-launcher.ts'

const main = async (): Promise<void> => {
  process.exitCode = await runCommand(process.argv.slice(2))
}

endWithLauncher()
void main()
