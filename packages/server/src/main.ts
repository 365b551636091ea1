import { runCommand } from './commands/commands.ts'
import { endWithLauncher } from './commands/end-with-launcher.ts'

endWithLauncher()
void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
