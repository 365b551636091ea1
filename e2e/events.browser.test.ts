import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { freePort } from '../packages/server/test/free-port.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { claim, signIn, startCarrel, testPassword } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { watchedPage } from './browser.ts'

test('EVT-1 a browser follows with its cookie, comes back by itself after the server was killed, and misses nothing', async () => {
  await using folder = await temporaryFolder()
  const env = { CARREL_PORT: String(await freePort()) }
  await using first = await startCarrel({ cwd: folder.path, env })
  const ana = await claim(first)
  await using watched = await watchedPage()
  const { page } = watched
  await page.goto(`${first.url}/api/docs`)
  await page.evaluate(
    (body) => fetch('/api/v1/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    JSON.stringify({ username: 'ana', password: testPassword }),
  )
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const source = new EventSource('/api/v1/events')
    source.addEventListener('connected', () => seen.push('connected'))
    source.addEventListener('setting_updated', (event) => {
      if ('data' in event) seen.push((JSON.parse(String(event.data)) as { key: string }).key)
    })
  })
  const seen = () => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)
  const save = (call: typeof ana.call, key: string, value: number) =>
    call(api.saveSetting, { params: { key }, body: { value } })
  await waitUntil('the stream to begin', async () => (await seen()).includes('connected'))
  bodyOf(await save(ana.call, 'scan.hold_books', 30))
  await waitUntil('the first event', async () => (await seen()).length === 2)

  first.kill('SIGKILL')
  await first.exited
  await using second = await startCarrel({ cwd: folder.path, env })
  bodyOf(await save((await signIn(second, 'ana')).call, 'scan.hold_percent', 30))

  await waitUntil('the event after the kill', async () => (await seen()).includes('scan.hold_percent'))
  expect(await seen()).toEqual(['connected', 'scan.hold_books', 'connected', 'scan.hold_percent'])
})
