const cache = new Map<string, unknown>()

/** To make one of these takes as long as to use it a hundred times, and a page of cards uses them all over. */
const keep = <Format>(key: string, make: () => Format): Format => {
  const made = (cache.get(key) as Format | undefined) ?? make()
  cache.set(key, made)
  return made
}

export const pluralRules = (language: string | undefined): Intl.PluralRules =>
  keep(`p${language}`, () => new Intl.PluralRules(language))

export const numberFormat = (language: string | undefined, options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  keep(`n${language}${JSON.stringify(options)}`, () => new Intl.NumberFormat(language, options))

export const dateFormat = (language: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  keep(`d${language}${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(language, options))

export const relativeTime = (language: string | undefined): Intl.RelativeTimeFormat =>
  keep(`r${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

export const languageNames = (language: string | undefined): Intl.DisplayNames =>
  keep(`l${language}`, () => new Intl.DisplayNames(language, { type: 'language' }))
