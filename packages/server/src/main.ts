import { runCommand } from './commands/commands.ts'
import { endWithLauncher } from './commands/end-with-launcher.ts'

endWithLauncher()
process.exitCode = await runCommand(process.argv.slice(2))
