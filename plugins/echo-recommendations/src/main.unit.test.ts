import { fileURLToPath } from 'node:url'
import { clearRecommendations, dismissRecommendation, getRecommendations, updateProfile } from '@carrel/plugin-sdk'
import { startPlugin } from '@carrel/plugin-sdk/testing'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

test('PLG-1 a library comes back as recommendations; what was dismissed or is excluded does not', async () => {
  await using echo = await startPlugin(program, { credentials: { token: 'very-secret' } })
  const library = ['a', 'b', 'c'].map((id) => ({ seriesId: id, title: id.toUpperCase(), userRating: 70 }))
  const titles = async (excludeIds: string[] = []) =>
    (await echo.call(getRecommendations, { library, excludeIds })).recommendations.map(({ title }) => title)
  expect(await titles()).toEqual(['Echo of A', 'Echo of B', 'Echo of C'])
  expect(await echo.call(dismissRecommendation, { externalId: 'echo-a', reason: 'already_read' })).toEqual({
    dismissed: true,
  })
  expect(await titles(['echo-c'])).toEqual(['Echo of B'])
  expect(await echo.call(clearRecommendations)).toEqual({ cleared: true })
  expect(await titles()).toHaveLength(3)
  expect(await echo.call(updateProfile, { entries: library })).toEqual({ updated: true, entriesProcessed: 3 })
  expect((await echo.call(getRecommendations, { library: [] })).recommendations).toHaveLength(3)
  await echo.stop()
  expect(echo.log()).toContain('info: recommendations/dismiss {"externalId":"echo-a","reason":"already_read"}')
  expect(echo.log()).not.toContain('very-secret')
})
