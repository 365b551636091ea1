import * as lifecycle from './lifecycle.ts'
import * as metadata from './metadata.ts'
import type { Method } from './method.ts'
import * as recommendations from './recommendations.ts'
import * as releases from './releases.ts'
import * as storage from './storage.ts'
import * as sync from './sync.ts'

const isMethod = (value: unknown): value is Method =>
  typeof value === 'object' && value !== null && 'calledBy' in value && 'result' in value

/** Every method there is, by its name on the wire. */
export const methods: ReadonlyMap<string, Method> = new Map(
  [lifecycle, metadata, recommendations, sync, releases, storage]
    .flatMap((part): unknown[] => Object.values(part))
    .filter(isMethod)
    .map((method) => [method.name, method]),
)
