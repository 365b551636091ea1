import type { WalkedFile, StoredFile } from '../walker/messages.ts'

/** What has changed of the files beside the books of one root. */
export interface SidecarChanges {
  readonly rootId: string
  readonly added: WalkedFile[]
  readonly changed: StoredFile[]
  readonly vanished: StoredFile[]
}
