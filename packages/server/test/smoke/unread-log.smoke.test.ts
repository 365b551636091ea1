import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Client, createClient, readHealth } from '@carrel/api'
import { expect, test } from 'vitest'
import { launcher, ownEnvironment } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

/** A request is logged with its headers: four kilobytes. */
const logged = Object.fromEntries([1, 2, 3, 4].map((number) => [`x-long-${number}`, 'y'.repeat(1000)]))

/** Carrel, with a log that says much, and what reads it. */
const startTalkative = async (cwd: string) => {
  const own = { CARREL_PORT: '0', CARREL_DATA_DIR: cwd, CARREL_LOG_LEVEL: 'trace', CARREL_ROLES: 'api' }
  const child = spawn(process.execPath, [launcher, 'serve'], {
    cwd,
    env: { ...ownEnvironment(), ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const url = await waitUntil('the address', () => /"url":"([^"]+)".*"msg":"Carrel is ready"/.exec(text)?.[1])
  return {
    call: createClient({ baseUrl: url, headers: logged }),
    reader: child.stdout,
    text: () => text,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const requests = 1500

/** All together they write six megabytes, where one may wait. It answers how many went well. */
const askOften = async (call: Client): Promise<number> => {
  let answered = 0
  for (let count = 0; count < requests; count += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(readHealth, {})))
    answered += answers.filter(({ status }) => status === 200).length
  }
  return answered
}

test('P-18 P-19 where nobody takes the log the server goes on, and says how much is not in it once somebody does', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startTalkative(folder.path)

  carrel.reader.pause()
  expect(await askOften(carrel.call)).toBe(requests)
  carrel.reader.resume()

  await waitUntil('the line that says so', async () => {
    await carrel.call(readHealth, {})
    return /"lines":[1-9]\d+,"msg":"Nobody took the log for a while/.test(carrel.text())
  })
})

test('P-19 where whoever read the log is gone the server goes on', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startTalkative(folder.path)

  carrel.reader.destroy()

  expect(await askOften(carrel.call)).toBe(requests)
})
