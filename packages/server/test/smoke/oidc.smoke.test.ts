import { expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { begin, newBrowser } from '../oidc-browser.ts'
import { settingsFor, startProvider } from '../oidc-provider.ts'
import { startCarrel } from './carrel.ts'
import { newDatabase } from './postgres-of-file.ts'
import { endOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Signs somebody in through a provider, and kills the server between any two steps. */
const signInBetweenKills = async (more: Readonly<Record<string, string>>): Promise<unknown> => {
  await using folder = await temporaryFolder()
  await using provider = await startProvider()
  const port = await freePort()
  const env = settingsFor(provider.issuer, {
    CARREL_OIDC_MAIN_CREATE_USERS: 'true',
    CARREL_PORT: String(port),
    // A worker would outlive the kill for a moment, and has no part in this.
    CARREL_ROLES: 'api',
    ...more,
  })
  const node = { url: `http://127.0.0.1:${port}` }
  /** A server is started for each step and killed after it. */
  const step = async <Result>(take: () => Promise<Result>): Promise<Result> => {
    await using carrel = await startCarrel({ cwd: folder.path, env })
    const result = await take()
    carrel.kill('SIGKILL')
    expect(await endOf(carrel)).toEqual({ code: null, signal: 'SIGKILL' })
    return result
  }
  const browser = newBrowser(() => node, 'ana-1')
  const atProvider = await step(() => begin(browser))
  const atCallback = await browser.walk(atProvider)
  const landed = await step(() => browser.open(atCallback))
  const me = await step(() => browser.open('http://carrel.test/api/v1/auth/me'))
  return [landed.status, landed.headers.location, me.status, me.json]
}

const signedIn = [303, '/', 200, { username: 'user', role: 'reader' }]

test('AUTH-8 W16 on SQLite a sign-in survives that the server is killed between any two steps', async () => {
  expect(await signInBetweenKills({})).toMatchObject(signedIn)
})

test('AUTH-8 W16 on PostgreSQL a sign-in survives that the server is killed between any two steps', async () => {
  const outcome = await signInBetweenKills({ CARREL_DATABASE_URL: await newDatabase() })
  expect(outcome).toMatchObject(signedIn)
})
