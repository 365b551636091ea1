export interface Strings {
  readonly [key: string]: string | Strings
}

const form = /_(zero|one|two|few|many|other)$/

export const formsOf = (language: string): readonly string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories

/** All that English has, and every form that the language counts in: one that its translators left out is as its `other`. */
export const completed = (strings: Strings, english: Strings, language: string): Strings => {
  const made: Record<string, string | Strings> = {}
  for (const [key, value] of Object.entries(english)) {
    const own = strings[key]
    if (typeof value !== 'string') made[key] = completed(typeof own === 'object' ? own : {}, value, language)
    else if (!isCounted(key, english)) made[key] = typeof own === 'string' ? own : value
    else if (key.endsWith('_other')) Object.assign(made, counted(key.replace(form, ''), strings, english, language))
  }
  return made
}

/** `page_other` has a sister `page_one`; a key that merely ends so has none. */
export const isCounted = (key: string, strings: Strings): boolean =>
  form.test(key) && key.replace(form, '_other') in strings && key.replace(form, '_one') in strings

/** Nothing at all may be said in words of its own in every language. */
const counted = (key: string, strings: Strings, english: Strings, language: string): Strings => {
  const forms = new Set([...(`${key}_zero` in english ? ['zero'] : []), ...formsOf(language)])
  const usual = strings[`${key}_other`] ?? english[`${key}_other`] ?? ''
  return Object.fromEntries([...forms].map((each) => [`${key}_${each}`, strings[`${key}_${each}`] ?? usual]))
}
