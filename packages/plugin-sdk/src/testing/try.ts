#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { PluginError } from '../plugin-error.ts'
import { methods } from '../protocol/index.ts'
import { startPlugin } from './start-plugin.ts'

const usage = `Starts a plugin and asks it something.

  carrel-plugin-try PROGRAM                      what it says it is
  carrel-plugin-try PROGRAM METHOD [PARAMETERS]  an answer

  --config JSON        what the administrator has configured
  --user-config JSON   what the user has configured
  --credentials JSON   for example '{"api_key":"…"}'

  carrel-plugin-try src/main.js metadata/series/search '{"query":"night train"}'
`

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      config: { type: 'string', default: '{}' },
      'user-config': { type: 'string', default: '{}' },
      credentials: { type: 'string', default: '{}' },
    },
  })
  const [program, name, params = '{}'] = positionals
  if (program === undefined) return say(process.stderr, usage, 1)
  const method = name === undefined ? undefined : methods.get(name)
  if (name !== undefined && method?.calledBy !== 'host') return say(process.stderr, unknown(name), 1)
  const plugin = await startPlugin(program, {
    adminConfig: objectIn(values.config),
    userConfig: objectIn(values['user-config']),
    credentials: objectIn(values.credentials) as Record<string, string>,
    logLevel: 'debug',
  })
  try {
    const answer = method === undefined ? plugin.manifest : await plugin.call(method, objectIn(params))
    say(process.stdout, `${JSON.stringify(answer, undefined, 2)}\n`, 0)
    await plugin.stop()
  } finally {
    await plugin[Symbol.asyncDispose]()
    say(process.stderr, plugin.log(), 0)
  }
  return 0
}

const say = (stream: NodeJS.WriteStream, text: string, code: number): number => {
  stream.write(text)
  return code
}

const unknown = (name: string): string =>
  `There is no method "${name}". There are:\n${[...methods.values()]
    .filter(({ calledBy, needs }) => calledBy === 'host' && needs !== undefined)
    .map((method) => `  ${method.name}\n`)
    .toSorted()
    .join('')}`

const objectIn = (json: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // The error below says it.
  }
  throw new Error(`This is no JSON object: ${json}`)
}

try {
  process.exitCode = await main()
} catch (error) {
  const code = error instanceof PluginError ? `${error.code}: ` : ''
  process.exitCode = say(process.stderr, `${code}${error instanceof Error ? error.message : String(error)}\n`, 1)
}
