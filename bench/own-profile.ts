import { readProfile, type User } from '../packages/api/src/index.ts'
import { type Reply, requestBytes } from './connection.ts'
import { exchangeOnce } from './exchange-once.ts'

type Headers = Readonly<Record<string, string>>

export const profileRequest = (headers: Headers): Buffer => requestBytes({ path: readProfile.path, headers })

/** The answer all others are compared with, so it must be right itself. */
export const readOwnProfile = async (port: number, username: string, headers: Headers): Promise<Reply> => {
  const reply = await exchangeOnce(port, profileRequest(headers))
  const user = JSON.parse(reply.body.toString()) as Partial<User>
  if (reply.status !== 200 || user.username !== username)
    throw new Error(`Expected the profile of ${username}, got ${reply.status} ${reply.body.toString()}`)
  return reply
}
