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

test('a language without a country is the one we have, in the script it is usually written in', () => {
  expect(languageFor(['pt'])).toBe('pt-BR')
  expect(languageFor(['pt-PT'])).toBe('pt-BR')
  expect(languageFor(['zh'])).toBe('zh-Hans')
  expect(languageFor(['zh-CN'])).toBe('zh-Hans')
  expect(languageFor(['zh-TW', 'ja'])).toBe('ja')
  expect(languageFor(['ar-EG'])).toBe('ar')
})
