import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { getSeries, matchSeries, searchSeries } from '@carrel/plugin-sdk'
import { startPlugin } from '@carrel/plugin-sdk/testing'

const program = fileURLToPath(new URL('../src/main.js', import.meta.url))

/** The plugin as a process, which ends with the test. */
const start = async (t, options) => {
  const plugin = await startPlugin(program, options)
  t.after(() => plugin.stop())
  return plugin
}

test('it finds what it knows, slips and all', async (t) => {
  const plugin = await start(t)
  const { results } = await plugin.call(searchSeries, { query: 'the nihgt train' })
  assert.equal(results[0].title, 'Night Train')
})

test('it says how sure it is', async (t) => {
  const plugin = await start(t)
  const { match, confidence } = await plugin.call(matchSeries, { title: 'Cold Harbour', year: 2004 })
  assert.equal(match.externalId, '2')
  assert.ok(confidence > 0.9)
})

test('what it does not know it says so', async (t) => {
  const plugin = await start(t, { adminConfig: { least: 0.9 } })
  await assert.rejects(plugin.call(getSeries, { externalId: '99' }), { code: 'not_found' })
})
