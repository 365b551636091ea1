import { importReadList, importReadingHistory } from '@carrel/api'
import { expect, test } from 'vitest'
import { claim, startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { behindNginx, requireProgram } from './reverse-proxy.ts'

test('C14 behind the documented nginx the largest body reaches the server, and one too many is refused in its own words', async ({
  skip,
}) => {
  requireProgram('nginx', 'large bodies', skip)
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const { accessToken } = await claim(carrel)
  await using proxy = await behindNginx(folder.path, new URL(carrel.url).port)
  const send = async (path: string, type: string, body: string): Promise<string> => {
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': type }
    const response = await fetch(proxy.url + path, { method: 'POST', headers, body })
    return `${response.status} ${response.headers.get('content-type')}`
  }
  const list = `<ReadingList><Name>Many</Name><Books>${'<Book Series="Nemo" Number="1" />'.repeat(3000)}</Books>${' '.repeat(2.4e6)}</ReadingList>`
  const largest = importReadingHistory.shape.bodyBytesMax ?? 0

  expect(await send(`${importReadList.path}?dryRun=true`, 'application/xml', list)).toMatch(/^200 application\/json/)
  expect(await send(importReadingHistory.path, 'application/json', `[]${' '.repeat(largest - 2)}`)).toMatch(
    /^202 application\/json/,
  )
  expect(await send(importReadList.path, 'application/xml', ' '.repeat(largest))).toMatch(/^413 application\/json/)
})
