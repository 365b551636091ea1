import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import {
  ConfigError,
  type RawValues,
  list,
  oneOf,
  readSetting,
  type Setting,
  text,
  truth,
  wholeNumber,
} from './config-kinds.ts'
import { usable } from './config-usable.ts'
import {
  isProviderSetting,
  type OidcConfig,
  providerNames,
  readOidc,
  redirectUris,
  settingsOfProvider,
} from './config-oidc.ts'
import type { DatabaseAddress } from './database/open.ts'
import { type LogLevel, logLevels } from './platform/log.ts'
import type { ObjectStoreAddress } from './platform/objects/objects.ts'
import type { Collector } from './platform/telemetry/exporter.ts'

export { ConfigError } from './config-kinds.ts'
export { isLoopback, type OidcProvider } from './config-oidc.ts'

/**
 * An operator decides these before the server starts. Whatever can be decided while it runs is a setting
 * (features/settings).
 */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Covers, exports and uploads go there; undefined: into the data directory. */
  readonly objectStore: ObjectStoreAddress | undefined
  readonly database: DatabaseAddress
  /** Servers and workers reach PostgreSQL by it, for all that is not about one connection. */
  readonly databasePoolerUrl: string | undefined
  /** Servers ask there for lists, searches and figures: one or more PostgreSQL that follow the database. */
  readonly databaseReplicaUrl: string | undefined
  /** A replica that has lacked something for longer is not asked. */
  readonly databaseReplicaLagMs: number
  /** This much is reserved on the disk of the data directory, to be freed when the disk is full; 0 reserves nothing. */
  readonly diskReserveBytes: number
  /** Nothing is changed by a migration before there is a copy of it. */
  readonly copiesBeforeMigration: boolean
  readonly roles: readonly Role[]
  /** A worker runs this many tasks at the same time. */
  readonly workerConcurrency: number
  /** Work in the background does not let others go first. */
  readonly hasNormalPriority: boolean
  readonly adminUsername: string | undefined
  readonly adminPassword: string | undefined
  readonly secretKey: string | undefined
  /** Values that were encrypted under it can still be decrypted. */
  readonly formerSecretKey: string | undefined
  readonly trustedProxies: readonly string[]
  readonly publicUrl: URL | undefined
  /** Empty, or a path with a slash before it and none behind. */
  readonly basePath: string
  readonly corsOrigins: readonly string[]
  readonly rateLimitEnabled: boolean
  readonly docsEnabled: boolean
  readonly metricsEnabled: boolean
  readonly checkReplies: boolean
  readonly logLevel: LogLevel
  /** Traces and metrics go there; undefined: there are none. */
  readonly collector: Collector | undefined
  /** A statement that takes at least this long is logged with its plan; 0: none is. */
  readonly slowStatementMs: number
  /** Told to stop, the server goes on for so long, and says meanwhile that it is not ready. */
  readonly drainSeconds: number
  readonly logFormat: 'text' | 'json'
  /** Undefined: anywhere. */
  readonly libraryRoots: readonly string[] | undefined
  /** Programs that may be plugins, or run them, besides Node. */
  readonly pluginCommands: readonly string[]
  /** It is the sandbox of plugins, where the machine has it; auto takes the best available. */
  readonly pluginSandbox: PluginSandbox
  /** Undefined: npm's own. */
  readonly pluginRegistry: URL | undefined
  readonly oidc: OidcConfig
  /** These configure npm on this machine: its path, its settings, proxies and trusted certificates. */
  readonly npmEnvironment: Readonly<Record<string, string>>
  /** `CARREL_SETTING_…`: what run-time settings are until somebody changes them. */
  readonly initialSettings: ReadonlyMap<string, string>
  readonly warnings: readonly string[]
}

const roles = ['api', 'worker'] as const
type Role = (typeof roles)[number]

const pluginBoxes = ['auto', 'bwrap', 'unshare', 'none'] as const
type PluginSandbox = (typeof pluginBoxes)[number]

const address: Setting<URL> = {
  fallback: undefined,
  allowed: 'an http:// or https:// address',
  read: (value) => (/^https?:\/\//.test(value) && URL.canParse(value) ? new URL(value) : undefined),
}

/**
 * An encryption that is asked for is checked, in whatever words: who only listens to `require`, as addresses of services are written, would
 * not notice somebody else in between.
 */
const encryptions: Readonly<Record<string, string>> = {
  disable: 'disable',
  'no-verify': 'no-verify',
  allow: 'verify-full',
  prefer: 'verify-full',
  require: 'verify-full',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
}

const readPostgresAddress = (value: string): string | undefined => {
  if (!/^postgres(ql)?:\/\/./.test(value) || !URL.canParse(value)) return undefined
  const mode = new URL(value).searchParams.get('sslmode')
  if (mode === null) return value
  const encryption = Object.hasOwn(encryptions, mode) ? encryptions[mode] : undefined
  return encryption && value.replace(/(?<=[?&]sslmode=)[^&#]*/, encryption)
}

const postgresAddress: Setting<string> = {
  fallback: undefined,
  allowed: 'postgres://… (with an sslmode that is known, if any)',
  secret: true,
  read: readPostgresAddress,
}

const mebibyte = 1024 * 1024

const settings = {
  CARREL_HOST: text('an address or a host name', /^[\w.:-]+$/, '127.0.0.1'),
  CARREL_PORT: wholeNumber({ from: 0, to: 65535, fallback: 8080 }),
  CARREL_DATA_DIR: text('a folder', /^[^\0]+$/, './data'),
  CARREL_DATABASE_URL: {
    fallback: undefined,
    allowed: 'postgres://… (with an sslmode that is known, if any) or sqlite:FILE',
    secret: true,
    read: (value: string): DatabaseAddress | undefined => {
      const url = readPostgresAddress(value)
      if (url !== undefined) return { kind: 'postgres', url }
      const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1]
      return file === undefined ? undefined : { kind: 'sqlite', file: resolve(file) }
    },
  },
  CARREL_DATABASE_POOLER_URL: postgresAddress,
  CARREL_DATABASE_REPLICA_URL: postgresAddress,
  CARREL_DATABASE_REPLICA_LAG_MS: wholeNumber({ from: 1000, to: 600000, fallback: 5000 }),
  CARREL_OBJECT_STORE_URL: {
    fallback: undefined,
    allowed: 'https://HOST/BUCKET/FOLDER, without a user name and a query',
    // What it must not have would be printed with what is wrong.
    secret: true,
    read: (value: string) => {
      const url = address.read(value)
      return url && url.username === '' && url.password === '' && url.search === '' && /^[\w./-]*$/.test(url.pathname)
        ? url
        : undefined
    },
  },
  CARREL_OBJECT_STORE_BUCKET_IN: oneOf(['path', 'host'], 'path'),
  CARREL_OBJECT_STORE_REGION: text('a name such as eu-central-1', /^[\w-]{1,64}$/, 'us-east-1'),
  CARREL_OBJECT_STORE_ACCESS_KEY: { ...text('1 to 256 characters', /^[\x21-\x7e]{1,256}$/), secret: true },
  CARREL_OBJECT_STORE_SECRET_KEY: { ...text('1 to 256 characters', /^[\x21-\x7e]{1,256}$/), secret: true },
  CARREL_DISK_RESERVE_MIB: wholeNumber({ from: 0, to: 4096, fallback: 64 }),
  CARREL_COPY_BEFORE_MIGRATION: truth(true),
  CARREL_ROLES: list(`a list of ${roles.join(', ')}`, (part) => roles.find((role) => role === part), 'api,worker'),
  CARREL_WORKER_CONCURRENCY: wholeNumber({ from: 1, to: 64, fallback: 4 }),
  CARREL_BACKGROUND_PRIORITY: oneOf(['low', 'normal'], 'low'),
  CARREL_ADMIN_USERNAME: text('1 to 64 characters without @ and control characters', /^[^@\p{Cc}]{1,64}$/u),
  CARREL_ADMIN_PASSWORD: { ...text('10 to 256 characters', /^[^\0]{10,256}$/), secret: true },
  CARREL_SECRET_KEY: { ...text('at least 32 characters', /^.{32,}$/), secret: true },
  CARREL_SECRET_KEY_FORMER: { ...text('at least 32 characters', /^.{32,}$/), secret: true },
  CARREL_TRUSTED_PROXIES: list('a list of addresses or CIDR ranges, such as 10.0.0.0/8', (part) =>
    isRange(part) ? part : undefined,
  ),
  CARREL_PUBLIC_URL: address,
  CARREL_BASE_PATH: {
    fallback: '',
    allowed: 'a path such as /carrel',
    read: (value: string) => (/^(\/[\w.~-]+)*\/?$/.test(value) ? value.replace(/\/$/, '') : undefined),
  },
  CARREL_CORS_ORIGINS: list('a list of origins such as https://reader.example.org', (part) =>
    isOrigin(part) ? part : undefined,
  ),
  CARREL_RATE_LIMIT_ENABLED: truth(true),
  CARREL_DOCS_ENABLED: truth(true),
  CARREL_METRICS_ENABLED: truth(false),
  CARREL_CHECK_REPLIES: truth(false),
  CARREL_LOG_LEVEL: oneOf(logLevels, 'info'),
  CARREL_LOG_FORMAT: oneOf(['auto', 'text', 'json'], 'auto'),
  CARREL_SLOW_STATEMENT_MS: wholeNumber({ from: 0, to: 60000, fallback: 0 }),
  CARREL_DRAIN_SECONDS: wholeNumber({ from: 0, to: 300, fallback: 0 }),
  CARREL_OTLP_URL: {
    fallback: undefined,
    allowed: 'an http:// or https:// address without a user name and a query',
    // What it must not have would be printed with what is wrong.
    secret: true,
    read: (value: string) => {
      const url = address.read(value)
      return url?.username === '' && url.search === '' ? url : undefined
    },
  },
  CARREL_OTLP_HEADERS: {
    ...list(
      'a list of NAME=VALUE',
      (part) => /^([\w-]+)=([\x21-\x7e][\x20-\x7e]*)$/.exec(part)?.slice(1) as [string, string] | undefined,
    ),
    secret: true,
  },
  CARREL_OTLP_SAMPLE_PERCENT: wholeNumber({ from: 0, to: 100, fallback: 100 }),
  CARREL_LIBRARY_ROOTS: list('a list of folders', (part) => resolve(part)),
  CARREL_PLUGIN_COMMANDS: list('a list of names of programs, or of paths that begin with /', (part) =>
    /^[\w.+-]+$|^\/[^\0]+$/.test(part) ? part : undefined,
  ),
  CARREL_PLUGIN_BOX: oneOf(pluginBoxes, 'auto'),
  CARREL_PLUGIN_REGISTRY: address,
  CARREL_OIDC_PROVIDERS: providerNames,
  CARREL_OIDC_REDIRECT_URIS: redirectUris,
} satisfies Record<string, Setting<unknown>>

type Name = keyof typeof settings
type ValueOf<N extends Name> = (typeof settings)[N] extends Setting<infer Value> ? Value : never

const names = Object.keys(settings) as Name[]
const settingPrefix = 'CARREL_SETTING_'

export interface ConfigSource {
  readonly env: NodeJS.ProcessEnv
  readonly workingDir: string
  readonly isTerminal: boolean
}

/** The settings of this process, where they name what can be used. */
export const configFromEnvironment = (): Config => usable(settingsOfProcess())

/** The settings of this process, for who finds out what is wrong with them. */
export const settingsOfProcess = (): Config =>
  readConfig({ env: process.env, workingDir: process.cwd(), isTerminal: process.stdout.isTTY ?? false })

/** It reads every setting once, at start; nothing else in the server looks at the environment. */
export const readConfig = ({ env, workingDir, isTerminal }: ConfigSource): Config => {
  const given = { ...fromFile(env.CARREL_CONFIG, workingDir), ...fromEnvironment(env) }
  // The value of a setting has the type its own `read` answers with.
  const get = <N extends Name>(name: N): ValueOf<N> | undefined =>
    readSetting(given, name, settings[name] as Setting<ValueOf<N>>)
  // A setting with a fallback always has a value.
  const need = <N extends Name>(name: N): ValueOf<N> => get(name) as ValueOf<N>
  const dataDir = resolve(workingDir, need('CARREL_DATA_DIR'))
  const logFormat = need('CARREL_LOG_FORMAT')
  const libraryRoots = need('CARREL_LIBRARY_ROOTS')

  const address = {
    host: need('CARREL_HOST'),
    port: need('CARREL_PORT'),
    publicUrl: get('CARREL_PUBLIC_URL'),
    basePath: need('CARREL_BASE_PATH'),
  }
  const config: Config = {
    ...address,
    dataDir,
    objectStore: readObjectStore(given),
    database: get('CARREL_DATABASE_URL') ?? { kind: 'sqlite', file: join(dataDir, 'carrel.db') },
    databasePoolerUrl: get('CARREL_DATABASE_POOLER_URL'),
    databaseReplicaUrl: get('CARREL_DATABASE_REPLICA_URL'),
    databaseReplicaLagMs: need('CARREL_DATABASE_REPLICA_LAG_MS'),
    diskReserveBytes: need('CARREL_DISK_RESERVE_MIB') * mebibyte,
    copiesBeforeMigration: need('CARREL_COPY_BEFORE_MIGRATION'),
    roles: need('CARREL_ROLES'),
    workerConcurrency: need('CARREL_WORKER_CONCURRENCY'),
    hasNormalPriority: need('CARREL_BACKGROUND_PRIORITY') === 'normal',
    adminUsername: get('CARREL_ADMIN_USERNAME'),
    adminPassword: get('CARREL_ADMIN_PASSWORD'),
    secretKey: get('CARREL_SECRET_KEY'),
    formerSecretKey: get('CARREL_SECRET_KEY_FORMER'),
    trustedProxies: need('CARREL_TRUSTED_PROXIES'),
    corsOrigins: need('CARREL_CORS_ORIGINS'),
    rateLimitEnabled: need('CARREL_RATE_LIMIT_ENABLED'),
    docsEnabled: need('CARREL_DOCS_ENABLED'),
    metricsEnabled: need('CARREL_METRICS_ENABLED'),
    checkReplies: need('CARREL_CHECK_REPLIES'),
    logLevel: need('CARREL_LOG_LEVEL'),
    collector: collectorOf(get('CARREL_OTLP_URL'), need('CARREL_OTLP_HEADERS'), need('CARREL_OTLP_SAMPLE_PERCENT')),
    slowStatementMs: need('CARREL_SLOW_STATEMENT_MS'),
    drainSeconds: need('CARREL_DRAIN_SECONDS'),
    logFormat: logFormat === 'auto' ? (isTerminal ? 'text' : 'json') : logFormat,
    libraryRoots: libraryRoots.length > 0 ? libraryRoots : undefined,
    pluginCommands: need('CARREL_PLUGIN_COMMANDS'),
    pluginSandbox: need('CARREL_PLUGIN_BOX'),
    pluginRegistry: get('CARREL_PLUGIN_REGISTRY'),
    oidc: readOidc(given, address),
    npmEnvironment: npmEnvironment(env),
    initialSettings: initialSettings(given),
    warnings: unknownNames(given, namesOfProviders(given)),
  }
  if ((config.adminUsername === undefined) !== (config.adminPassword === undefined)) {
    throw new ConfigError('CARREL_ADMIN_USERNAME and CARREL_ADMIN_PASSWORD belong together: set both or neither')
  }
  requirePostgresBehind(config)
  return Object.freeze(config)
}

const requirePostgresBehind = (config: Config): void => {
  if (config.databasePoolerUrl !== undefined && config.database.kind !== 'postgres')
    throw new ConfigError(
      'CARREL_DATABASE_POOLER_URL needs CARREL_DATABASE_URL too: the address of the PostgreSQL behind the pooler',
    )
  if (config.databaseReplicaUrl !== undefined && config.database.kind !== 'postgres')
    throw new ConfigError(
      'CARREL_DATABASE_REPLICA_URL needs CARREL_DATABASE_URL too: the address of the PostgreSQL that the replica follows',
    )
}

const readObjectStore = (given: RawValues): ObjectStoreAddress | undefined => {
  const url = readSetting(given, 'CARREL_OBJECT_STORE_URL', settings.CARREL_OBJECT_STORE_URL)
  const accessKey = readSetting(given, 'CARREL_OBJECT_STORE_ACCESS_KEY', settings.CARREL_OBJECT_STORE_ACCESS_KEY)
  const secretKey = readSetting(given, 'CARREL_OBJECT_STORE_SECRET_KEY', settings.CARREL_OBJECT_STORE_SECRET_KEY)
  const bucketIn = readSetting(given, 'CARREL_OBJECT_STORE_BUCKET_IN', settings.CARREL_OBJECT_STORE_BUCKET_IN)
  const region = readSetting(given, 'CARREL_OBJECT_STORE_REGION', settings.CARREL_OBJECT_STORE_REGION) ?? ''
  if (!url && accessKey === undefined && secretKey === undefined) return undefined
  if (!url || accessKey === undefined || secretKey === undefined)
    throw new ConfigError(
      'CARREL_OBJECT_STORE_URL, CARREL_OBJECT_STORE_ACCESS_KEY and CARREL_OBJECT_STORE_SECRET_KEY belong together: set all or none',
    )
  const isBucketInPath = bucketIn !== 'host'
  if (isBucketInPath && url.pathname === '/')
    throw new ConfigError('CARREL_OBJECT_STORE_URL names no bucket: it is the first part of its path')
  return Object.freeze({ url: url.href, isBucketInPath, region, accessKey, secretKey })
}

const collectorOf = (
  url: URL | undefined,
  headers: readonly (readonly [string, string])[],
  samplePercent: number,
): Collector | undefined => url && { url, headers: Object.fromEntries(headers), samplePercent }

const ofNpm = /^(path|home|npm_config_.*|(https?|no)_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i

const npmEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && ofNpm.test(entry[0])),
  )

/**
 * The settings for a stranger who is to help: a value where there are few or numbers, of all others whether there is one.
 * It can be told of a configuration that no server starts with.
 */
export const describeConfigToStrangers = ({ env, workingDir }: ConfigSource): Record<string, string> => {
  const given = { ...fromFile(env.CARREL_CONFIG, workingDir), ...fromEnvironment(env) }
  const described = names.map((name): [string, string] => {
    const setting: Setting<unknown> = settings[name]
    const value = given[name]
    if (value === undefined) return [name, '(not set)']
    return [name, setting.isHarmless && setting.read(value) !== undefined ? value : '(set)']
  })
  const initial = [...initialSettings(given).keys()].map((name) => [`${settingPrefix}${name}`, '(set)'])
  return Object.fromEntries([...described, ...initial])
}

/** The effective settings, one a line, secrets masked: what `carrel config check` prints. */
export const describeConfig = (environment: ConfigSource): string[] => {
  const config = readConfig(environment)
  const given = {
    ...fromFile(environment.env.CARREL_CONFIG, environment.workingDir),
    ...fromEnvironment(environment.env),
  }
  const entries: [string, Setting<unknown>][] = names.map((name) => [name, settings[name]])
  const ofProviders = config.oidc.providers.flatMap(({ name }) => settingsOfProvider(name))
  const lines = [...entries, ...ofProviders].map(([name, setting]) => {
    const value = given[name] ?? setting.fallback
    const shown =
      value === undefined ? '(not set)' : value === '' ? '(empty)' : setting.secret ? mask(name, value) : value
    return `${name}=${shown}${given[name] === undefined ? '  (default)' : ''}`
  })
  for (const [key, value] of config.initialSettings) lines.push(`${settingPrefix}${key}=${value}`)
  return lines
}

const mask = (name: string, value: string): string => {
  if (!/^CARREL_DATABASE_(?:POOLER_|REPLICA_)?URL$/.test(name) || !URL.canParse(value)) return '********'
  const url = new URL(value)
  if (url.protocol === 'sqlite:') return value
  if (url.password) url.password = '********'
  // The driver takes passwords as parameters too.
  return `${url.href.slice(0, url.href.length - url.search.length)}${url.search && '?********'}`
}

const fromEnvironment = (env: NodeJS.ProcessEnv): RawValues => {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('CARREL_') || name === 'CARREL_CONFIG' || value === undefined || value === '') continue
    // Docker and systemd hand secrets over as files.
    const plain = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : undefined
    const target = plain !== undefined && (plain in settings || isProviderSetting(plain)) ? plain : name
    if (target in given) throw new ConfigError(`${target} and ${target}_FILE are both set: set one of them`)
    given[target] = target === name ? value : readSecretFile(name, value)
  }
  return given
}

const readSecretFile = (name: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8').trimEnd()
  } catch (error) {
    throw new ConfigError(`${name} names the file ${file}, which cannot be read (${(error as Error).message})`, {
      cause: error,
    })
  }
}

/** `carrel.yaml` in the working folder, or the file that CARREL_CONFIG names: the same keys, with or without the prefix. */
const fromFile = (named: string | undefined, workingDir: string): RawValues => {
  const file = resolve(workingDir, named ?? 'carrel.yaml')
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError(`The configuration file ${file} cannot be read (${(error as Error).message})`, {
      cause: error,
    })
  }
  let parsed: unknown
  try {
    parsed = parse(content, { maxAliasCount: 10 })
  } catch (error) {
    throw new ConfigError(`${file} is not valid YAML: ${(error as Error).message.split('\n')[0]}`, { cause: error })
  }
  if (parsed === null || parsed === undefined) return {}
  if (typeof parsed !== 'object' || Array.isArray(parsed))
    throw new ConfigError(`${file} must hold keys and values, one a line`)
  return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [fullName(key), scalar(file, key, value)]))
}

const fullName = (key: string): string => {
  const upper = key.toUpperCase().replaceAll(/[.-]/g, '_')
  return upper.startsWith('CARREL_') ? upper : `CARREL_${upper}`
}

const scalar = (file: string, key: string, value: unknown): string => {
  // One level only: an alias can make a list an item of itself.
  if (Array.isArray(value) && !value.some(Array.isArray)) return value.map((item) => scalar(file, key, item)).join(',')
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new ConfigError(`${file}: ${key} must be a text, a number, true, false or a list of these`)
}

const initialSettings = (given: RawValues): Map<string, string> =>
  new Map(
    Object.entries(given)
      .filter(([name]) => name.startsWith(settingPrefix))
      .map(([name, value]) => [name.slice(settingPrefix.length), value]),
  )

const namesOfProviders = (given: RawValues): string[] =>
  (readSetting(given, 'CARREL_OIDC_PROVIDERS', providerNames) ?? []).flatMap((provider) =>
    settingsOfProvider(provider).map(([name]) => name),
  )

const unknownNames = (given: RawValues, ofProviders: readonly string[]): string[] =>
  Object.keys(given)
    .filter((name) => !(name in settings) && !name.startsWith(settingPrefix) && !ofProviders.includes(name))
    .map((name) => `${name} is not a setting of Carrel and has no effect`)

const isRange = (part: string): boolean => {
  const [address = '', bits, ...rest] = part.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

export const rangesOf = (parts: readonly string[]): BlockList => {
  const ranges = new BlockList()
  for (const part of parts) {
    const [address = '', bits] = part.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) ranges.addAddress(address, family)
    else ranges.addSubnet(address, Number(bits), family)
  }
  return ranges
}

const isOrigin = (part: string): boolean => URL.canParse(part) && new URL(part).origin === part
