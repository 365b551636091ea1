import { spawnBare } from '../bare-process.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench } from '../figure.ts'
import { sameReply } from '../load.ts'
import { profileRequest, readOwnProfile } from '../own-profile.ts'
import { runRounds } from '../rounds.ts'
import { figuresAgainstBare, usualLoad } from './against-bare.ts'

export const notModified: Bench = {
  names: ['json.304'],
  run: async ({ installation: { start, token, username } }) => {
    await using server = await start()
    const { head } = await readOwnProfile(server.port, username, token)
    const [, etag] = /\r\netag: (.+)/i.exec(head) ?? []
    if (etag === undefined) throw new Error(`The profile has no ETag:\n${head}`)
    const request = profileRequest({ ...token, 'if-none-match': etag })
    const model = await exchangeOnce(server.port, request)
    sameReply({ status: 304, body: Buffer.alloc(0) })(model)
    await using bare = await spawnBare(model, request)
    const load = { ...usualLoad, request: () => request, check: sameReply(model) }
    const rounds = await runRounds({
      bare: { pid: bare.pid, load: { ...load, port: bare.port } },
      ours: { pid: server.pid, load: { ...load, port: server.port } },
    })
    return figuresAgainstBare('json.304', rounds.ours, rounds.bare)
  },
}
