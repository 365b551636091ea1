import { listLibraries } from '@carrel/api'
import { QueryObserver } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'

afterAll(() => {
  vi.unstubAllGlobals()
})

test('what a page takes along as it is left is sent again for the loader of the next one, which waits for it', async () => {
  // Another file may have loaded the client, which keeps the `fetch` of that moment.
  vi.resetModules()
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('window', { addEventListener: () => undefined })
  let calls = 0
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit): Promise<Response> => {
    calls += 1
    if (calls > 1) return Promise.resolve(Response.json({ data: [], total: 0 }))
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('Nobody waits', 'AbortError')))
    })
  })
  const { ensure, query, queryClient } = await import('../src/api/queries.ts')
  const leave = new QueryObserver(queryClient, query(listLibraries, {})).subscribe(() => undefined)
  const loaded = ensure(listLibraries, {})
  leave()

  expect(await loaded).toMatchObject({ total: 0 })
  expect(calls).toBe(2)
})
