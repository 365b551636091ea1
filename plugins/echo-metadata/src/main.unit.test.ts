import { fileURLToPath } from 'node:url'
import { getBook, getSeries, matchBook, matchSeries, PluginError, searchBooks, searchSeries } from '@carrel/plugin-sdk'
import { startPlugin } from '@carrel/plugin-sdk/testing'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

test('PLG-1 what is asked comes back, for series and for books', async () => {
  await using echo = await startPlugin(program, { adminConfig: { results: 2 } })
  const { results } = await echo.call(searchSeries, { query: 'Night Train' })
  expect(results.map(({ title }) => title)).toEqual(['Night Train', 'Night Train 2'])
  expect(await echo.call(getSeries, { externalId: results[1]?.externalId ?? '' })).toMatchObject({
    title: 'Night Train 2',
    totalChapterCount: 12.5,
  })
  expect(await echo.call(matchSeries, { title: 'Night Train', year: 1999 })).toMatchObject({
    match: { title: 'Night Train', year: 1999 },
    confidence: 1,
  })
  expect((await echo.call(searchBooks, { isbn: '9780306406157', limit: 5 })).results).toHaveLength(5)
  expect(await echo.call(getBook, { externalId: 'echo:1:A\nB' })).toMatchObject({ title: 'A\nB', volume: 1 })
  expect((await echo.call(matchBook, { title: 'A', isbn: '1' })).confidence).toBe(1)
})

test.each(['rate_limited', 'not_found', 'auth_failed', 'api_error', 'config_error'] as const)(
  'it refuses with %s when asked to',
  async (code) => {
    await using echo = await startPlugin(program)
    await expect(echo.call(searchSeries, { query: `!${code}` })).rejects.toMatchObject({ code })
    await expect(echo.call(getSeries, { externalId: 'nothing' })).rejects.toBeInstanceOf(PluginError)
  },
)

test('every payload is logged, no credential is', async () => {
  await using echo = await startPlugin(program, {
    adminConfig: { apiToken: 'hush-hush', place: { name: 'here', passwords: ['a'] } },
    credentials: { api_key: 'very-secret' },
    userId: 'ana',
  })
  await echo.call(searchSeries, { query: 'very-secret plans', limit: 1 })
  await echo.stop()
  expect(echo.log()).toContain(
    'info: initialize {"config":{"apiToken":"[redacted]","place":{"name":"here","passwords":"[redacted]"},"results":3},"userConfig":{},"credentials":{"api_key":"[redacted]"},"userId":"ana"}',
  )
  expect(echo.log()).toContain('info: metadata/series/search {"query":"[redacted] plans","limit":1}')
  expect(echo.log()).not.toMatch(/hush-hush|very-secret/)
})
