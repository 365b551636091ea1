import { expect, test } from 'vitest'
import { languageFor } from './languages.ts'

test('the first language that is there is spoken, whatever the country', () => {
  expect(languageFor(['de-AT', 'en'])).toBe('de')
  expect(languageFor(['nl', 'en-GB', 'de'])).toBe('en')
  expect(languageFor(['nl'])).toBeUndefined()
  expect(languageFor([])).toBeUndefined()
})

test('what is no tag of a language is passed over', () => {
  expect(languageFor(['', 'not a tag', 'C', 'de'])).toBe('de')
})
