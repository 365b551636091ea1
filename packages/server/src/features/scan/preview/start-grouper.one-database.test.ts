import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { libraryFolder } from '../../../../test/library-folder.ts'
import { startGrouper } from './start-grouper.ts'

/** Programs that are not what they should be. */
const programs = {
  silent: 'process.on("message", () => undefined)',
  gone: 'process.exit(3)',
}

const program = async (folder: Awaited<ReturnType<typeof libraryFolder>>, name: keyof typeof programs) => {
  await folder.write(`${name}.mjs`, programs[name])
  return pathToFileURL(folder.in(`${name}.mjs`))
}

test('C21 who groups is ended when nobody waits for it, when it takes too long, and when it has ended by itself', async () => {
  await using folder = await libraryFolder()
  const never = new AbortController().signal
  {
    using slow = startGrouper({ signal: never, silenceMaxMs: 200, program: await program(folder, 'silent') })
    await expect(slow.finish()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 30 })
  }
  {
    using gone = startGrouper({ signal: never, program: await program(folder, 'gone') })
    await expect(gone.finish()).rejects.toMatchObject({ code: 'unavailable' })
  }
  const left = new AbortController()
  using waiting = startGrouper({ signal: left.signal, program: await program(folder, 'silent') })
  const answer = waiting.finish()
  left.abort(new Error('left'))
  await expect(answer).rejects.toThrow('left')
  await expect(waiting.finish()).rejects.toThrow('left')
  expect(() => startGrouper({ signal: left.signal })).toThrow('left')
})
