import { mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Config } from '../../../config.ts'
import type { ReadDb } from '../../../database/database.ts'
import { invalid } from '../../../platform/errors.ts'
import { PluginFault } from '../../../plugins/fault.ts'
import type { Launch } from '../../../plugins/process.ts'
import { which } from '../../../plugins/programs.ts'
import { type HostAndPort, parseHostAndPort, type Reach } from '../../../plugins/reach.ts'
import type { PluginSpec } from '../../../plugins/supervised.ts'
import { type BuiltIns, builtInProgram } from '../installing/built-in.ts'
import { type PluginRow, selectPackage } from '../queries.ts'
import type { OwnCredentials } from '../secrets/own-trust.ts'
import { type Secrets, decrypt } from '../secrets/encryption.ts'

export const pluginsFolder = (dataDir: string): string => join(dataDir, 'plugins')
/** Plugins store their data here: never a program. */
export const keptFolder = (dataDir: string, pluginId: string): string => join(pluginsFolder(dataDir), 'data', pluginId)

/** One plugin stores its data for one user here. */
export const userFolder = (dataDir: string, pluginId: string, userId: string): string =>
  join(keptFolder(dataDir, pluginId), userId)

/** Nobody's: what is about no user in particular. */
export const everybody = 'everybody'
/** The permission to reach what is public; with a host behind it, that host and no other. */
const networkPermission = 'network'
const hostPermission = 'network:'

const mebibyte = 1024 * 1024

type Program = Pick<Launch, 'command' | 'args' | 'isNode' | 'readable'>

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly workingDirectory: string | null
}

/**
 * Node with a script below data/plugins is always allowed; every other program only when the configuration names it. One
 * that is named without a path runs a script too, one with a path is a plugin itself.
 */
export const programOf = async (
  { dataDir, pluginCommands }: Pick<Config, 'dataDir' | 'pluginCommands'>,
  { command, args, workingDirectory }: Command,
): Promise<Program> => {
  if (command !== 'node' && !pluginCommands.includes(command))
    throw invalid(
      '/command',
      `Only node, and what CARREL_PLUGIN_COMMANDS names, may run plugins. What ${command} would fetch can be installed as a package.`,
    )
  if (isAbsolute(command))
    return { command, args, isNode: false, readable: [dirname(await requireFile(command, '/command'))] }
  const isNode = command === 'node'
  const path = isNode ? process.execPath : await which(command)
  if (path === undefined) throw invalid('/command', `${command} is not installed on this machine.`)
  const [script = '', ...rest] = args
  const root = await realpath(pluginsFolder(dataDir)).catch(() => pluginsFolder(dataDir))
  const scriptPath = await requireFile(resolve(root, workingDirectory ?? '', script), '/args/0')
  if (script === '' || script.startsWith('-') || !isBelow(root, scriptPath) || isBelow(join(root, 'data'), scriptPath))
    throw invalid('/args/0', 'The first argument must be a script below data/plugins.')
  return { command: path, args: [scriptPath, ...rest], isNode, readable: [await packageOf(root, scriptPath)] }
}

const requireFile = async (path: string, pointer: string): Promise<string> => {
  const realPath = await realpath(path).catch(() => undefined)
  const isFile = realPath !== undefined && (await stat(realPath)).isFile()
  if (!isFile) throw invalid(pointer, 'There is no such file.')
  return realPath
}

export const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && !isAbsolute(way) && way.split(sep)[0] !== '..'
}

/** It is the nearest folder around it that is a package; else its own folder. */
const packageOf = async (root: string, script: string): Promise<string> => {
  for (let folder = dirname(script); isBelow(root, folder); folder = dirname(folder)) {
    const isPackage = await stat(join(folder, 'package.json')).then(
      (stats) => stats.isFile(),
      () => false,
    )
    if (isPackage) return folder
  }
  return dirname(script)
}

/** These environment variables are always set by us, whatever a plugin asks for. */
const ours =
  /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|IFS|ENV|BASH_.*|LANG|LC_.*|LD_.*|DYLD_.*|NODE_.*|PYTHON.*|GIT_.*|SSH_.*|CARREL_.*|.*_PROXY)$/i
const wellFormed = /^[A-Za-z_][A-Za-z0-9_]*$/

export const requireVariable = (name: string, pointer: string): void => {
  if (!wellFormed.test(name)) throw invalid(pointer, 'A variable is letters, digits and underscores, no digit first.')
  if (ours.test(name)) throw invalid(pointer, `The variable ${name} is not yours to set.`)
}

interface LaunchContext {
  readonly config: Pick<Config, 'dataDir' | 'pluginCommands'>
  readonly db: ReadDb
  readonly secrets: Secrets
  readonly memoryMaxMib: () => number
  readonly builtIns: BuiltIns
}

type StringRecord = Readonly<Record<string, string>>

/** A user, with what they have configured for themselves (JSON), and when, and what they have entrusted the plugin with. */
interface Who {
  readonly userId: string
  readonly config?: string | undefined
  readonly changedAt?: string | undefined
  readonly own?: OwnCredentials | undefined
}

/**
 * A process is restarted when this changes: what the administrator has set up, what its user has set up, or the
 * credentials it was given.
 */
const revisionOf = (revision: number, changedAt = '', version = ''): string => [revision, changedAt, version].join(' ')

/** One plugin as it is set up now, for everybody or for one user. */
export const specOf = (row: PluginRow, who: Who | null, around: LaunchContext): PluginSpec => {
  const userId = who?.userId ?? null
  const userConfig = JSON.parse(who?.config ?? '{}') as Record<string, unknown>
  const folder = userFolder(around.config.dataDir, row.id, userId ?? everybody)
  const everybodys = openWords(around.secrets, row.credentials)
  // A user's own take the place of those for everybody.
  const credentials = everybodys && { ...everybodys, ...who?.own?.words }
  const adminConfig = JSON.parse(row.config) as Record<string, unknown>
  return {
    key: userId === null ? row.id : `${row.id} ${userId}`,
    pluginId: row.id,
    userId,
    revision: revisionOf(row.revision, who?.changedAt, who?.own?.version),
    hasOwnCredentials: who?.own !== undefined,
    requestsPerMinute: row.requests_per_minute,
    initialize: {
      adminConfig,
      userConfig,
      // Where both set a value, the administrator's wins.
      config: { ...userConfig, ...adminConfig },
      credentials: row.credential_delivery === 'env' ? {} : (credentials ?? {}),
      dataDir: folder,
      ...(userId !== null && { userId }),
      logLevel: row.log_level ?? 'info',
    },
    launch: async () => {
      const env = openWords(around.secrets, row.env)
      if ((row.credentials !== null && !credentials) || (row.env !== null && !env))
        throw new PluginFault('CONFIG_ERROR', 'Its secrets were encrypted under another key: enter them again.')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const program = await programFor(row, around)
      const permissions = JSON.parse(row.permissions) as string[]
      return {
        ...program,
        readable: [...program.readable, ...(await grantedPaths(around.config, permissions))],
        folder: await realpath(folder),
        env: { ...env, ...(row.credential_delivery === 'init_message' ? {} : inCapitals(credentials)) },
        secrets: [...Object.values(env ?? {}), ...Object.values(credentials ?? {})],
        reach: reachOf(permissions),
        memoryMaxBytes: around.memoryMaxMib() * mebibyte,
      }
    },
  }
}

const readPermission = 'read:'

/** Files and folders it may read besides, but none that are Carrel's own: `read:/srv/catalogue.csv`. */
const grantedPaths = async (
  { dataDir }: Pick<Config, 'dataDir'>,
  permissions: readonly string[],
): Promise<readonly string[]> => {
  const own = await realpath(dataDir)
  const paths = permissions
    .filter((each) => each.startsWith(readPermission))
    .map((each) => each.slice(readPermission.length))
  const realPaths = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return realPaths.filter(
    (path) => path !== undefined && path !== own && !isBelow(own, path) && !isBelow(path, own),
  ) as string[]
}

/** `network`, `network:192.168.1.20:8080`; undefined: nowhere. */
const reachOf = (permissions: readonly string[]): Reach | undefined => {
  const isPublic = permissions.includes(networkPermission)
  const hosts = permissions
    .filter((each) => each.startsWith(hostPermission))
    .map((each) => parseHostAndPort(each.slice(hostPermission.length)))
    .filter((host): host is HostAndPort => host !== undefined)
  return isPublic || hosts.length > 0 ? { isPublic, hosts } : undefined
}

export const requireGrantable = (permissions: readonly string[]): void => {
  for (const [index, each] of permissions.entries()) {
    const pointer = `/permissions/${index}`
    if (each.startsWith(readPermission) && !isAbsolute(each.slice(readPermission.length)))
      throw invalid(pointer, 'A file or folder to read is said with its whole path: read:/srv/list.csv.')
    if (each.startsWith(hostPermission) && !parseHostAndPort(each.slice(hostPermission.length)))
      throw invalid(pointer, 'A server to reach is said with its port: network:192.168.1.20:8080.')
  }
}

/** An empty set is none; undefined: it cannot be opened. */
const openWords = (secrets: Secrets, encrypted: string | null): StringRecord | undefined =>
  encrypted === null ? {} : (decrypt(secrets, encrypted) as StringRecord | undefined)

const inCapitals = (words: StringRecord | undefined): StringRecord =>
  Object.fromEntries(Object.entries(words ?? {}).map(([key, value]) => [key.toUpperCase(), value]))

const programFor = async (row: PluginRow, { config, db, builtIns }: LaunchContext): Promise<Program> => {
  try {
    const args = JSON.parse(row.args) as string[]
    if (row.package === null)
      return await programOf(config, { command: row.command, args, workingDirectory: row.working_directory })
    const packageRow = await selectPackage(db, row.package)
    if (!packageRow) throw invalid('/package', `The package ${row.package} is not installed any more.`)
    if (packageRow.source === 'built_in') {
      const { script, readable } = builtInProgram(packageRow, builtIns)
      return { command: process.execPath, args: [script, ...args], isNode: true, readable }
    }
    const entry = join(packageRow.folder, packageRow.entry)
    const program = await programOf(config, { command: 'node', args: [entry, ...args], workingDirectory: null })
    return { ...program, readable: [await realpath(join(pluginsFolder(config.dataDir), packageRow.folder))] }
  } catch (error) {
    throw new PluginFault('INIT_ERROR', error instanceof Error ? error.message : 'It could not be started.', {
      cause: error,
    })
  }
}
