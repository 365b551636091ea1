import * as api from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { openStream } from '../../../test/event-stream.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { dismiss, made, openHouse, read, rec, refresh, titlesOf } from '../../../test/plugins/recommending-house.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { startServer } from '../../../test/start-server.ts'

describe('REC-1 without and with plugins that recommend', () => {
  test('REC-1 without one both lists are empty, and there is nobody to ask', async () => {
    await using server = await startServer()
    const reader = await server.person('reader')
    expect(await read(reader)).toEqual({ recommendations: [], sources: [] })
    expect(await refresh(reader)).toMatchObject({ status: 202, body: { taskIds: [] } })
    expect(errorOf(await dismiss(reader, 'x'))).toMatchObject({ error: 'not_found' })
    expect(bodyOf(await reader.call(api.listUserPlugins, {}))).toEqual({ enabled: [], available: [], plugins: [] })
  })

  test('REC-1 one that fails leaves what it said before, and is not asked again at every look', async () => {
    await using house = await openHouse()
    const { server } = house
    const plugin = await house.setUp({ recommendations: [rec('1')] })
    const other = await house.setUp({ recommendations: [rec('2')] })
    const reader = await server.person('reader')
    await read(reader)
    await made(reader)
    const config = { fails: true }
    bodyOf(await house.admin.call(api.updatePlugin, { params: { id: plugin.id }, body: { config } }))
    const { taskIds } = bodyOf(await refresh(reader))
    expect(taskIds).toHaveLength(2)
    const failed = await waitUntil('the failure', async () => {
      const task = await house.admin.call(api.readTask, { params: { id: taskIds[0] ?? '' } })
      return bodyOf(task).lastError === null ? undefined : bodyOf(task)
    })
    expect(failed.lastError).toContain('Nobody is there.')
    const shown = await waitUntil('the other', async () => {
      const answer = await read(reader)
      return answer.sources[1]?.taskId === null ? answer : undefined
    })
    expect(titlesOf(shown)).toEqual(['Title 1', 'Title 2'])
    expect(shown.sources).toMatchObject([
      { pluginId: plugin.id, taskStatus: 'retrying' },
      { pluginId: other.id, taskStatus: null },
    ])
    // One of the two can be asked again, then none.
    expect(bodyOf(await refresh(reader)).taskIds).toHaveLength(1)
    bodyOf(await house.admin.call(api.cancelTask, { params: { id: failed.id } }))
    await read(reader)
    expect((await read(reader)).sources[0]?.taskId).toBeNull()
  })

  test('REC-1 who waits for one that fails hears that it has, until it works again', async () => {
    await using house = await openHouse()
    const { server } = house
    const plugin = await house.setUp({ fails: true })
    const reader = await server.person('reader')
    const headers = { authorization: `Bearer ${reader.accessToken}` }
    await using stream = await openStream(server.url, headers, '/api/v1/events')
    await stream.first('connected')
    await read(reader)
    await stream.first('recommendations_updated')
    const { recommendations, sources } = await read(reader)
    expect(recommendations).toEqual([])
    expect(sources).toMatchObject([{ cached: false, generatedAt: null, taskStatus: 'retrying' }])
    // Nobody tries again.
    bodyOf(await house.admin.call(api.cancelTask, { params: { id: sources[0]?.taskId ?? '' } }))
    expect((await read(reader)).sources).toMatchObject([{ taskStatus: 'failed', taskId: null }])
    bodyOf(
      await house.admin.call(api.updatePlugin, {
        params: { id: plugin.id },
        body: { config: { recommendations: [rec('1')] } },
      }),
    )
    bodyOf(await refresh(reader))
    expect((await made(reader)).sources).toMatchObject([{ cached: true, taskStatus: null }])
  })
})

describe('what plugins are told, and what is believed of them', () => {
  test('REC-1 an answer is kept as far as it is sound', async () => {
    await using house = await openHouse()
    await house.setUp({
      recommendations: [
        rec('high', { score: 7, rating: 1000.4, popularity: 1e12, status: 'odd', tags: [{ name: 'n' }] }),
        rec('high', { title: 'Again' }),
        rec('low', {
          score: -3,
          coverUrl: 'javascript:alert(1)',
          externalUrl: 'https://example.org/low',
          title: 'T'.repeat(2000),
          summary: 's\u0001\u202e'.repeat(9000),
        }),
        rec('x'.repeat(501)),
        rec('control\u0001'),
        rec('blank', { title: ' ' }),
        ...Array.from({ length: 300 }, (_, number) => rec(`n${number}`)),
      ],
    })
    const reader = await house.server.person('reader')
    await read(reader)
    const { recommendations } = await made(reader)
    expect(recommendations).toHaveLength(100)
    expect(recommendations[0]).toMatchObject({
      externalId: 'high',
      title: 'Title high',
      score: 1,
      rating: 100,
      popularity: 2_147_483_647,
      status: 'unknown',
      tags: [{ name: 'n', category: '', rank: 0 }],
    })
    const low = recommendations.at(-1)
    expect(low).toMatchObject({ score: 0, coverUrl: null, externalUrl: 'https://example.org/low' })
    expect([low?.title.length, low?.summary?.length]).toEqual([500, 4000])
    expect(low?.summary).not.toMatch(/[\p{Cc}\u202e]/u)
  })
})
