import type { Known, KnownKind } from './messages.ts'

/**
 * The rows of the database as they arrive, taken folder by folder in the order of the walk. While those of one message
 * are taken the next are on their way, so that the walk need not wait for them.
 */
export class KnownRows {
  readonly #of: KnownKind
  readonly #need: (of: KnownKind) => void
  #rows: readonly Known[] = []
  #at = 0
  #next: Known[] = []
  #isLast = false
  #asked = false
  #arrived: (() => void) | undefined

  constructor(of: KnownKind, need: (of: KnownKind) => void) {
    this.#of = of
    this.#need = need
    this.#ask()
  }

  receive(rows: readonly Known[], isLast: boolean): void {
    this.#next.push(...rows)
    this.#isLast = isLast
    this.#asked = false
    this.#arrived?.()
  }

  /** All rows of folders before this one, and of this one. */
  async takeUpTo(folder: string): Promise<{ before: Known[]; here: Known[] }> {
    const before: Known[] = []
    const here: Known[] = []
    for (;;) {
      const row = await this.#peek()
      if (!row) return { before, here }
      const order = row[1] === folder ? 0 : compareBytes(row[1], folder)
      if (order > 0) return { before, here }
      if (order === 0) here.push(row)
      else before.push(row)
      this.#at += 1
    }
  }

  async takeRest(): Promise<Known[]> {
    const rest: Known[] = []
    for (let row = await this.#peek(); row; row = await this.#peek()) {
      rest.push(row)
      this.#at += 1
    }
    return rest
  }

  async #peek(): Promise<Known | undefined> {
    if (this.#at < this.#rows.length) return this.#rows[this.#at]
    while (this.#next.length === 0 && !this.#isLast) {
      this.#ask()
      await new Promise<void>((resolve) => {
        this.#arrived = resolve
      })
    }
    this.#rows = this.#next
    this.#next = []
    this.#at = 0
    this.#ask()
    return this.#rows[0]
  }

  #ask(): void {
    if (this.#asked || this.#isLast) return
    this.#asked = true
    this.#need(this.#of)
  }
}

/** As the databases compare text: by the bytes of UTF-8, which differs from JavaScript's order beyond U+D7FF. */
export const compareBytes = (one: string, other: string): number => {
  if (one === other) return 0
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) {
    const a = one.charCodeAt(at)
    const b = other.charCodeAt(at)
    if (a !== b) return a >= 0xd800 && b >= 0xd800 ? Buffer.compare(Buffer.from(one), Buffer.from(other)) : a - b
  }
  return one.length - other.length
}
