/** It is a map that drops the entry used longest ago once it is full. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #sizeMax: number
  /** The entry used last need not be moved. */
  #newest: string | undefined

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined || key === this.#newest) return value
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    return value
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    if (this.#entries.size <= this.#sizeMax) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: string): void {
    this.#entries.delete(key)
    if (key === this.#newest) this.#newest = undefined
  }

  values(): IterableIterator<Value> {
    return this.#entries.values()
  }

  clear(): void {
    this.#entries.clear()
  }
}
