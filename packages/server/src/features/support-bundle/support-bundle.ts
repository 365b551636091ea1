import { arch, availableParallelism, freemem, platform, release, totalmem } from 'node:os'
import type { SettingDto } from '@carrel/api'
import type { Config } from '../../config.ts'
import { copiedTables } from '../../database/copied-tables.ts'
import type { ReadDb } from '../../database/database.ts'
import { latestVersion, schemaVersion } from '../../database/migrate.ts'
import { migrations } from '../../database/migrations/index.ts'
import { openForReading } from '../../database/open.ts'
import type { Log } from '../../platform/log.ts'
import { examine, type Finding } from '../doctor/doctor.ts'
import { listSettings, readInitial } from '../settings/settings.ts'
import { sizesIn } from './folder-sizes.ts'
import { countedMax, countRows, countTasks, selectFailedTasks } from './queries.ts'
import { toldFindings } from './told-findings.ts'
import { readLog, type LogExtract } from './told-log.ts'

export interface BundleOptions {
  readonly config: Config
  /** A stranger may see it. */
  readonly configuration: Readonly<Record<string, string>>
  readonly log: Log
  readonly now: Date
  readonly version: string
  /** A file with lines of the log. */
  readonly logFile?: string | undefined
}

type SupportBundle = Readonly<Record<string, unknown>> & { readonly log?: LogExtract | { readonly missing: string } }

const failedTasksMax = 50
const bundleBytesMax = 1024 * 1024

/**
 * It says of an installation what somebody who helps needs, in words and numbers of Carrel alone. Nothing is taken along that
 * people have written, named or chosen freely: what is taken is listed, so that what is new stays away by itself.
 */
export const makeSupportBundle = async (options: BundleOptions): Promise<SupportBundle> => {
  const { config, configuration, log, now, version, logFile } = options
  const findings = await examine(config, log, now)
  return {
    madeAt: now.toISOString(),
    version,
    machine: machine(),
    configuration,
    findings: toldFindings(findings, config),
    database: isUnreadable(findings) ? null : await describeDatabase(config, log),
    dataFolder: await sizesIn(config.dataDir),
    ...(logFile !== undefined && { log: await readLog(logFile).catch(whyMissing) }),
  }
}

/** A text of at most a mebibyte: the oldest lines of the log are left out first. */
export const writtenBundle = (bundle: SupportBundle): string => {
  const { log } = bundle
  const text = `${JSON.stringify(bundle, null, 2)}\n`
  if (Buffer.byteLength(text) <= bundleBytesMax || !log || 'missing' in log || log.lines.length === 0) return text
  const lines = log.lines.slice(Math.ceil(log.lines.length / 2))
  return writtenBundle({ ...bundle, log: { ...log, lines } })
}

const machine = () => ({
  node: process.version,
  platform: platform(),
  arch: arch(),
  release: release(),
  processors: availableParallelism(),
  memoryBytes: totalmem(),
  freeMemoryBytes: freemem(),
})

const isUnreadable = (findings: readonly Finding[]): boolean =>
  findings.some(
    ({ check, status }) => check === 'no database' || (status === 'failed' && /^(database|schema)$/.test(check)),
  )

const describeDatabase = async (config: Config, log: Log) => {
  const opened = await openForReading(config.database, log)
  try {
    const version = await schemaVersion(opened)
    return {
      kind: config.database.kind,
      bytes: await opened.dialect.size(opened.read),
      schemaVersion: version,
      latestVersion,
      migrations: migrations.map(({ version, name }) => `${version} ${name}`),
      ...(version === latestVersion && (await describeRows(opened.read, config))),
    }
  } finally {
    await opened.close()
  }
}

const describeRows = async (db: ReadDb, config: Config) => {
  const settings = await listSettings(db, readInitial(config.initialSettings), undefined)
  return {
    countedUpTo: countedMax,
    rows: await countRows(db, copiedTables),
    settings: Object.fromEntries(settings.map((setting) => [setting.key, toldSetting(setting)])),
    tasks: await countTasks(db),
    failedTasks: await selectFailedTasks(db, failedTasksMax),
  }
}

/** A text that somebody has thought of says no more than that it is there. */
const toldSetting = ({ key, value, defaultValue, valueType, allowed }: SettingDto): unknown => {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return `${value.length} entries`
  if (valueType === 'string' && (allowed || key.endsWith('.cron_schedule'))) return value
  return value === defaultValue ? value : '(changed)'
}

const whyMissing = ({ code = 'unknown' }: NodeJS.ErrnoException) => ({ missing: code })
