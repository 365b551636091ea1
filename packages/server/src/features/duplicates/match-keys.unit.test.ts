import { expect, test } from 'vitest'
import { externalIdKey } from './match-keys.ts'

test('C18 a source without a prefix is a plugin by its name', () => {
  expect(externalIdKey('anilist', '74347')).toBe('plugin:anilist:74347')
  expect(externalIdKey('plugin:anilist', '74347')).toBe('plugin:anilist:74347')
  expect(externalIdKey('anilist', 'x'.repeat(900)).length).toBeLessThanOrEqual(200)
})
