import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { Decoders } from './decoders/pool.ts'
import type { Settings } from './features/settings/settings.ts'
import type { Log } from './platform/log.ts'
import type { WebApp } from './http/web-app/web-app.ts'
import type { ViewerOf } from './features/viewers/viewers.ts'
import type { PasswordHashing } from './platform/secrets/password-hash.ts'
import type { RunLimited } from './platform/storage/root-limiter.ts'
import type { Telemetry } from './platform/telemetry/telemetry.ts'

interface WorkerState {
  readonly isRunning: boolean
  /** The worker has sent no heartbeat since, for longer than a running one would. */
  readonly silentSince: Date | undefined
}

/** Everything the features need from outside. Built once by `serve`, and by each test. */
export interface Context {
  readonly config: Config
  readonly db: Database
  readonly settings: Settings
  readonly log: Log
  readonly clock: () => Date
  /** The one secret of this installation; everything signed or keyed derives from it. */
  readonly secret: string
  readonly passwords: PasswordHashing
  readonly viewerOf: ViewerOf
  /** The one way to the files of libraries, but for processes that do nothing else. */
  readonly runLimited: RunLimited
  /** Decoders read files made by strangers; they start when they are needed. */
  readonly decoders: Decoders
  readonly version: string
  /** Absent unless a collector was named. */
  readonly telemetry?: Telemetry | undefined
  /** Absent where it has not been built. */
  readonly webApp?: WebApp | undefined
  /** It returns the state of the worker that belongs to this process; absent where there is none. */
  readonly worker?: () => WorkerState
  /** It is aborted once the server has been told to stop, and goes on for a while. */
  readonly draining?: AbortSignal
}
