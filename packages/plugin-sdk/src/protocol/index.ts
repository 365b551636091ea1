/**
 * The protocol between a host and its plugins: what may be sent, by whom, and in which shape. It speaks to nobody
 * itself, so that both sides can use it.
 */
export * from './lifecycle.ts'
export * from './limits.ts'
export * from './manifest.ts'
export * from './metadata.ts'
export * from './method.ts'
export * from './methods.ts'
export * from './recommendations.ts'
export * from './releases.ts'
export * from './rpc.ts'
export { fits, misfitOf, takeOutMisfits } from './schema.ts'
export * from './storage.ts'
export * from './sync.ts'
