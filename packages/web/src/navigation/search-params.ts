/** Parameters behind the `?` are plain words that people can read and write: no JSON, nothing that is not set. */
export const parseSearch = (search: string): Record<string, string | string[]> => {
  const words: Record<string, string | string[]> = {}
  const parameters = new URLSearchParams(search)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    words[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return words
}

/**
 * Characters that need no escape in an address are not escaped, so that people can read it: `where=year>2000` nearly.
 */
const plain = new Map([...'=:~!()[],/@$*^'].map((letter) => [encodeURIComponent(letter), letter] as const))
for (const letter of '~!()*') plain.set(`%${letter.charCodeAt(0).toString(16).toUpperCase()}`, letter)

export const readable = (search: URLSearchParams): string =>
  search.toString().replaceAll(/%[0-9A-F]{2}/g, (escape) => plain.get(escape) ?? escape)

export const stringifySearch = (search: Readonly<Record<string, unknown>>): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean') {
        parameters.append(name, String(each))
      }
    }
  }
  return parameters.size === 0 ? '' : `?${readable(parameters)}`
}

/** One word of a search, for `validateSearch` of a route. */
export const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** @public */
export const wordOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((each) => each === value)

/** @public */
export const wholeNumber = (value: unknown, min: number, max: number): number | undefined => {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : undefined
}
