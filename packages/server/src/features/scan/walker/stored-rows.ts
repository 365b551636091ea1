import { pushAll } from '../../../platform/push-all.ts'
import { storedFilesIn } from './stored-text.ts'
import type { StoredFile, StoredFolder, RowKind } from './messages.ts'

/**
 * What the database knows as it arrives, taken folder by folder in the order of the walk. While the folders of one message
 * are taken the next are on their way, so that the walk need not wait for them.
 */
export class StoredRows {
  readonly #of: RowKind
  readonly #need: (of: RowKind) => void
  #folders: readonly StoredFolder[] = []
  #at = 0
  #next: StoredFolder[] = []
  #isLast = false
  #isRequested = false
  #arrived: (() => void) | undefined

  constructor(of: RowKind, need: (of: RowKind) => void) {
    this.#of = of
    this.#need = need
    this.#ask()
  }

  receive(folders: readonly StoredFolder[], isLast: boolean): void {
    this.#next.push(...folders)
    this.#isLast = isLast
    this.#isRequested = false
    this.#arrived?.()
  }

  /** What is known of folders before this one, and of this one. */
  async takeUpTo(folder: string): Promise<{ before: StoredFile[]; here: StoredFolder | undefined }> {
    const before: StoredFile[] = []
    for (;;) {
      const next = this.#ready() ?? (await this.#peek())
      const order = next ? compareBytes(next[0], folder) : 1
      if (!next || order > 0) return { before, here: undefined }
      this.#at += 1
      if (order === 0) return { before, here: next }
      pushAll(before, storedFilesIn(next))
    }
  }

  async takeRest(): Promise<StoredFile[]> {
    const rest: StoredFile[] = []
    for (let next = await this.#peek(); next; next = await this.#peek()) {
      pushAll(rest, storedFilesIn(next))
      this.#at += 1
    }
    return rest
  }

  #ready(): StoredFolder | undefined {
    return this.#folders[this.#at]
  }

  async #peek(): Promise<StoredFolder | undefined> {
    const ready = this.#ready()
    if (ready) return ready
    while (this.#next.length === 0 && !this.#isLast) {
      this.#ask()
      await new Promise<void>((resolve) => {
        this.#arrived = resolve
      })
    }
    this.#folders = this.#next
    this.#next = []
    this.#at = 0
    this.#ask()
    return this.#folders[0]
  }

  #ask(): void {
    if (this.#isRequested || this.#isLast) return
    this.#isRequested = true
    this.#need(this.#of)
  }
}

/** It compares as the databases do: by the bytes of UTF-8, which differs from JavaScript's order beyond U+D7FF. */
export const compareBytes = (one: string, other: string): number => {
  if (one === other) return 0
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    const a = one.charCodeAt(index)
    const b = other.charCodeAt(index)
    if (a !== b) return a >= 0xd800 && b >= 0xd800 ? Buffer.compare(Buffer.from(one), Buffer.from(other)) : a - b
  }
  return one.length - other.length
}
