import { type PluginDto, pluginLogLevels, type UpdatePluginRequest } from '@carrel/api'
import { linesOf } from './lines.ts'
import { networkPermission, readPermission } from './plugin-text.ts'

/** A plugin as its form has it. */
export interface Draft {
  readonly displayName: string
  readonly description: string
  readonly isForEverybody: boolean
  readonly libraryIds: readonly string[]
  readonly mayReachNetwork: boolean
  readonly readablePaths: readonly string[]
  /** Other permissions it has are kept as they are. */
  readonly otherPermissions: readonly string[]
  readonly scopes: readonly string[]
  readonly config: Readonly<Record<string, unknown>>
  readonly logLevel: PluginDto['logLevel']
  readonly requestsPerMinute: number | null
  readonly timeoutSeconds: number | null
  readonly command: string
  readonly args: string
  readonly workingDirectory: string
}

const isPath = (permission: string): boolean => permission.startsWith(readPermission)

export const draftOf = (plugin: PluginDto): Draft => ({
  displayName: plugin.displayName,
  description: plugin.description ?? '',
  isForEverybody: plugin.enabledFor === 'everybody',
  libraryIds: plugin.libraryIds,
  mayReachNetwork: plugin.permissions.includes(networkPermission),
  readablePaths: plugin.permissions.filter(isPath).map((each) => each.slice(readPermission.length)),
  otherPermissions: plugin.permissions.filter((each) => each !== networkPermission && !isPath(each)),
  scopes: plugin.scopes,
  config: plugin.config,
  logLevel: plugin.logLevel,
  requestsPerMinute: plugin.rateLimitRequestsPerMinute,
  timeoutSeconds: plugin.requestTimeoutSeconds,
  command: plugin.command,
  args: plugin.args.join('\n'),
  workingDirectory: plugin.workingDirectory ?? '',
})

const requestOf = (draft: Draft) => {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
  return {
    displayName: draft.displayName.trim(),
    description: orNull(draft.description),
    enabledFor: draft.isForEverybody ? 'everybody' : 'nobody',
    libraryIds: [...draft.libraryIds],
    permissions: [
      ...(draft.mayReachNetwork ? [networkPermission] : []),
      ...draft.readablePaths.map((path) => readPermission + path),
      ...draft.otherPermissions,
    ],
    scopes: [...draft.scopes],
    config: draft.config,
    logLevel: draft.logLevel,
    rateLimitRequestsPerMinute: draft.requestsPerMinute,
    requestTimeoutSeconds: draft.timeoutSeconds,
    command: draft.command.trim(),
    args: linesOf(draft.args),
    workingDirectory: orNull(draft.workingDirectory),
  } satisfies UpdatePluginRequest
}

/** The patch holds only what differs. */
export const patchOf = (from: Draft, to: Draft): UpdatePluginRequest => {
  const before = new Map(Object.entries(requestOf(from)).map(([key, value]) => [key, JSON.stringify(value)]))
  return Object.fromEntries(
    Object.entries(requestOf(to)).filter(([key, value]) => before.get(key) !== JSON.stringify(value)),
  )
}

export const logLevelOf = (word: string): Draft['logLevel'] => pluginLogLevels.find((each) => each === word) ?? null
