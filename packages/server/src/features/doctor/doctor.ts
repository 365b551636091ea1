import type { Config } from '../../config.ts'
import type { Log } from '../../platform/log.ts'
import { examineDatabase } from './database.ts'
import { examineDataFolder } from './data-folder.ts'
import { failed, type Finding, warning } from './finding.ts'
import { examineObjectStore } from './object-store.ts'
import { examineLibraries } from './libraries.ts'
import {
  examineClock,
  examineDecoders,
  examineNode,
  examinePluginSandbox,
  examinePort,
  examineProxy,
} from './machine.ts'
import { examineReplica } from './replica.ts'

export type { Finding } from './finding.ts'
export { examineUpgrade, type UpgradeExamination } from './upgrade.ts'

/**
 * It examines everything a server needs, and changes nothing. The result of one examination keeps none of the others
 * from being made.
 */
export const examine = async (config: Config, log: Log, now: Date): Promise<Finding[]> => {
  const { rows, findings } = await examineDatabase(config, log).catch((error: Error) => ({
    rows: undefined,
    findings: [gaveUp('database', error)],
  }))
  const [replica, folder, objects, libraries, plugins, decoders, port] = await Promise.all([
    attempt('replica', () => examineReplica(config)),
    attempt('data folder', () => examineDataFolder(config)),
    attempt('object store', () => examineObjectStore(config)),
    attempt('libraries', async () => (rows ? examineLibraries(rows.roots) : librariesUnknown)),
    attempt('plugins', () => examinePluginSandbox(config)),
    attempt('decoders', () => examineDecoders(log)),
    attempt('port', async () => (config.roles.includes('api') ? examinePort(config) : [])),
  ])
  const names = config.warnings.map((each) =>
    warning('configuration', `${each}.`, 'See how it is spelled: carrel config check.'),
  )
  const [clock, proxy] = [examineClock(rows?.newestTimes ?? [], now), examineProxy(config)]
  return [
    ...names,
    examineNode(),
    folder,
    objects,
    findings,
    replica,
    libraries,
    plugins,
    clock,
    proxy,
    decoders,
    port,
  ].flat()
}

const librariesUnknown = warning(
  'libraries',
  'Which folders belong to libraries stands in the database, which could not be read.',
  'See to the database first.',
)

const gaveUp = (check: string, { message }: Error): Finding =>
  failed(check, `It could not be looked at (${message}).`, 'This is a fault of the examination: please report it.')

const attempt = async (
  check: string,
  examine: () => Promise<Finding | readonly Finding[]>,
): Promise<Finding | readonly Finding[]> => examine().catch((error: Error) => gaveUp(check, error))
