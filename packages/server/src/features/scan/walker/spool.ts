import { createReadStream } from 'node:fs'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { WalkedFile } from './messages.ts'

/** A file of a library and the root it is in. */
export interface SpooledFile {
  readonly rootId: string
  readonly walked: WalkedFile
}

/** What a walk has found new, kept on disk: a first scan of a million books fits no memory. */
export class Spool {
  readonly #file: string
  readonly #countOf = new Map<string, number>()
  #leftOut: ReadonlySet<string> = new Set()

  private constructor(file: string) {
    this.#file = file
  }

  static async open(dataDir: string, scanId: string): Promise<Spool> {
    const folder = join(dataDir, 'scans')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${scanId}.jsonl`)
    await writeFile(file, '', { mode: 0o600 })
    return new Spool(file)
  }

  get count(): number {
    return [...this.#countOf].reduce((sum, [rootId, count]) => sum + (this.#leftOut.has(rootId) ? 0 : count), 0)
  }

  async add(rootId: string, files: readonly WalkedFile[]): Promise<void> {
    if (files.length === 0) return
    this.#countOf.set(rootId, (this.#countOf.get(rootId) ?? 0) + files.length)
    await appendFile(this.#file, files.map((each) => line([rootId, ...each])).join(''))
  }

  /** What was found in these roots does not count. */
  leaveOut(rootIds: ReadonlySet<string>): void {
    this.#leftOut = rootIds
  }

  async *batches(size: number): AsyncGenerator<SpooledFile[]> {
    let batch: SpooledFile[] = []
    for await (const line of createInterface({ input: createReadStream(this.#file) })) {
      const [rootId, ...walked] = JSON.parse(line) as [string, ...WalkedFile]
      if (this.#leftOut.has(rootId)) continue
      batch.push({ rootId, walked })
      if (batch.length < size) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  remove(): Promise<void> {
    return rm(this.#file, { force: true })
  }
}

/** Names of files may have these two, JSON leaves them as they are, and to readline they end a line. */
const line = (row: readonly unknown[]): string =>
  `${JSON.stringify(row)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)}\n`
