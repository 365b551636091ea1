import type { Found, Known } from './walker/messages.ts'

/** What has changed of the files beside the books of one root. */
export interface SidecarChanges {
  readonly rootId: string
  readonly added: Found[]
  readonly changed: Known[]
  readonly vanished: Known[]
}
