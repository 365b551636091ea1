import * as api from '@carrel/api'
import { testPassword, type TestServer } from './start-server.ts'

/** The address in `x-forwarded-for` counts. */
export const trusting = { CARREL_TRUSTED_PROXIES: '127.0.0.1' }

export const signIn = async (
  server: TestServer,
  username: string,
  { password = testPassword, from }: { password?: string; from?: string } = {},
) => server.call(api.login, { body: { username, password } }, { headers: from ? { 'x-forwarded-for': from } : {} })

/** It fails to sign in so many times, and returns the statuses. */
export const fail = async (server: TestServer, username: string, times: number, from?: string): Promise<number[]> => {
  const statuses = []
  for (let count = 0; count < times; count += 1) {
    const { status } = await signIn(server, username, { password: `wrong-guess-${count}`, ...(from && { from }) })
    statuses.push(status)
  }
  return statuses
}
