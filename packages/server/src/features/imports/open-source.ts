import type { Context } from '../../context.ts'
import { encryptionFor, type Secrets } from '../../platform/secrets/encryption.ts'
import type { RunRow } from './queries.ts'
import { SourceFault } from './records.ts'
import { askServer, databaseAt } from './sources/addresses.ts'
import type { SourceToOpen } from './sources/reader/messages.ts'
import { type SourceReader, startReader } from './sources/start-reader.ts'
import { uploadParts } from './upload-parts.ts'

/** What a row says of where it is read from. */
export interface Source {
  readonly path: string | null
  readonly uploadId: string | null
  readonly url: string | null
}

export type SourceResources = Pick<Context, 'config' | 'settings' | 'secret'>

const keys = encryptionFor('keys of other servers')

const secretsOf = ({ secret, config }: Pick<SourceResources, 'secret' | 'config'>): Secrets => ({
  secret,
  formerSecret: config.formerSecretKey,
})

/** A key of another server is kept encrypted while what was read of it is: its covers are fetched with it later. */
export const encryptKey = (resources: Pick<SourceResources, 'secret' | 'config'>, key: string): string =>
  keys.encrypt(secretsOf(resources), key)

const keyOf = (resources: SourceResources, { secret }: RunRow): string | null => {
  if (secret === null) return null
  const key = keys.decrypt(secretsOf(resources), secret)
  if (typeof key !== 'string')
    throw new SourceFault('refused', 'The key of the other server is no longer known. Give it again.')
  return key
}

interface OpeningOptions {
  readonly signal: AbortSignal
  /** An empty folder that is removed afterwards. */
  readonly scratch: string
}

/** A process that reads what an import is of. */
export const openSourceOf = async (
  run: RunRow,
  resources: SourceResources,
  { signal, scratch }: OpeningOptions,
): Promise<SourceReader> => {
  const { path, uploadId, url } = JSON.parse(run.source) as Source
  const { kind } = run
  if (url === null) {
    const file = path ?? (await uploadParts(resources.config).gather(uploadId ?? '', scratch))
    return opened(startReader({ signal }), { kind, path: file, isUpload: path === null, scratch })
  }
  const key = keyOf(resources, run)
  if (url.startsWith('postgres'))
    return opened(startReader({ signal }), { kind, database: databaseAt(url, key), scratch })
  const allowedHosts = resources.settings.get('imports.allowed_hosts')
  const get = askServer({ kind, url, key }, { allowedHosts, signal })
  return opened(startReader({ signal, get }), { kind })
}

const opened = async (reader: SourceReader, source: SourceToOpen): Promise<SourceReader> => {
  try {
    await reader.open(source)
    return reader
  } catch (error) {
    reader[Symbol.dispose]()
    throw error
  }
}
