/** It stops the start. The message is the whole of what the operator needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface Setting<Value> {
  readonly fallback: string | undefined
  readonly allowed: string
  readonly secret?: true
  /** Its values are few or numbers: none tells anything of who or what is there. */
  readonly isHarmless?: true
  /** It returns undefined when the text is not allowed. */
  readonly read: (text: string) => Value | undefined
}

export const text = (allowed: string, pattern: RegExp, fallback?: string): Setting<string> => ({
  fallback,
  allowed,
  read: (value) => (pattern.test(value) ? value : undefined),
})

export const truth = (fallback: boolean): Setting<boolean> => ({
  fallback: String(fallback),
  allowed: 'true or false',
  isHarmless: true,
  read: (value) => ({ true: true, '1': true, yes: true, false: false, '0': false, no: false })[value.toLowerCase()],
})

/** Written in digits alone. */
export const wholeNumber = ({
  from,
  to,
  fallback,
}: {
  readonly from: number
  readonly to: number
  readonly fallback: number
}): Setting<number> => ({
  fallback: String(fallback),
  allowed: `a whole number from ${from} to ${to}`,
  isHarmless: true,
  read: (value) => {
    const isWritten = /^\d+$/.test(value) && value.length <= String(to).length
    return isWritten && Number(value) >= from && Number(value) <= to ? Number(value) : undefined
  },
})

export const list = <Item>(
  allowed: string,
  item: (text: string) => Item | undefined,
  fallback = '',
): Setting<Item[]> => ({
  fallback,
  allowed,
  read: (value) => {
    const items = value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item)
    return items.every((each) => each !== undefined) ? items : undefined
  },
})

export const oneOf = <const Word extends string>(words: readonly Word[], fallback: Word): Setting<Word> => ({
  fallback,
  allowed: `one of ${words.join(', ')}`,
  isHarmless: true,
  read: (value) => words.find((word) => word === value),
})

/** It holds the given values under their full names, before anything is checked. */
export type RawValues = Readonly<Record<string, string>>

export const readSetting = <Value>(given: RawValues, name: string, setting: Setting<Value>): Value | undefined => {
  const value = given[name] ?? setting.fallback
  if (value === undefined) return undefined
  const read = setting.read(value)
  if (read === undefined) throw refusal(name, value, setting)
  return read
}

const refusal = (name: string, value: string, { secret, allowed }: Setting<unknown>): ConfigError =>
  new ConfigError(`${name} is ${secret ? 'set to something' : JSON.stringify(value)}, but must be ${allowed}`)
