import { parseArgs } from 'node:util'
import { ConfigError, settingsOfProcess } from '../config.ts'
import { examine, type Finding } from '../features/doctor/doctor.ts'
import { readInitial } from '../features/settings/settings.ts'
import { createLog } from '../platform/log.ts'
import { type Command, exitCodes } from './command.ts'
import { clock } from './installation.ts'

export const doctorCommand: Command = {
  help: `Usage: carrel doctor [--json]

Looks at everything Carrel needs: configuration, Node, data folder, free space, object store, database, libraries, plugins, clock, proxy,
decoders, port. It says what is wrong and what to do about it, and changes nothing. The server may run meanwhile, or be
unable to start.

  --json  the same for programs: {"ok": …, "findings": [{"check", "status", "message", "advice"}]}

Exit code 0: nothing is wrong, though there may be warnings. 1: something is wrong.`,
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } })
    process.umask(0o077)
    const findings = await examineAll()
    const isWell = findings.every(({ status }) => status !== 'failed')
    process.stdout.write(values.json ? `${JSON.stringify({ ok: isWell, findings })}\n` : inLines(findings))
    return isWell ? exitCodes.done : exitCodes.failed
  },
}

const examineAll = async (): Promise<readonly Finding[]> => {
  try {
    const config = settingsOfProcess()
    readInitial(config.initialSettings)
    const quiet = createLog({ level: 'silent', format: 'json' })
    return await examine(config, quiet, clock())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [
      {
        check: 'configuration',
        status: 'failed',
        message: `${error.message}.`,
        advice: 'Correct it: nothing else can be looked at before. carrel config check prints what is in effect.',
      },
    ]
  }
}

const marks: Readonly<Record<Finding['status'], string>> = { ok: 'ok', warning: 'WARNING', failed: 'WRONG' }

const inLines = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(9 + width + 2)
  const lines = findings.flatMap(({ check, status, message, advice }) => [
    `${marks[status].padEnd(9)}${check.padEnd(width)}  ${message}`,
    ...(advice === undefined ? [] : [`${indent}${advice}`]),
  ])
  return `${lines.join('\n')}\n\n${summaryOf(findings)}\n`
}

const summaryOf = (findings: readonly Finding[]): string => {
  const count = (expected: Finding['status']): number => findings.filter(({ status }) => status === expected).length
  const [wrong, warnings] = [count('failed'), count('warning')]
  if (wrong > 0) return `Wrong: ${wrong}. Warnings: ${warnings}.`
  return warnings > 0 ? `Nothing is wrong. Warnings: ${warnings}.` : 'Nothing is wrong.'
}
