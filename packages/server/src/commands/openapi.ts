import { parseArgs } from 'node:util'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { openApiDocument } from '../http/openapi/openapi.ts'
import { version } from '../version.ts'
import { type Command, exitCodes } from './command.ts'

export const openApi: Command = {
  help: `Usage: carrel openapi

Prints the OpenAPI 3.1 document of the API as JSON. It is the one that the server shows at /api/openapi.json.`,
  run: async (args) => {
    parseArgs({ args: [...args], options: {} })
    process.stdout.write(`${JSON.stringify(await openApiDocument(allEndpoints, { basePath: '', version }), null, 2)}\n`)
    return exitCodes.done
  },
}
