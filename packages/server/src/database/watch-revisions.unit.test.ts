import { expect, test } from 'vitest'
import { watchRevisions } from './watch-revisions.ts'

/** A database that another process has changed: `mayHaveChanged` says so once. */
const changedElsewhere = () => {
  let isNew = true
  const revisions = { access: 1, settings: 1 }
  const watch = watchRevisions({
    select: async () => ({ ...revisions }),
    staleMs: 0,
    mayHaveChanged: () => {
      const answer = isNew
      isNew = false
      return answer
    },
  })
  return {
    watch,
    change: () => {
      isNew = true
      revisions.access += 1
    },
  }
}

test('AUTH-1 everybody who asks while a change of another process is looked at waits for it', async () => {
  const { watch, change } = changedElsewhere()
  await watch.read()
  change()

  // A request does the same: it reads once for the settings, once for the credentials.
  const answers = await Promise.all([watch.read(), watch.read()])

  expect(answers.map(({ access }) => access)).toEqual([2, 2])
})

test('AUTH-1 a look that fails does not make the old answer good again', async () => {
  const answers = [
    async () => ({ access: 1, settings: 1 }),
    () => Promise.reject(new Error('busy')),
    async () => ({ access: 2, settings: 1 }),
  ]
  let changes = 2
  const watch = watchRevisions({
    select: () => (answers.shift() ?? (() => Promise.reject(new Error('asked too often'))))(),
    staleMs: 0,
    mayHaveChanged: () => (changes -= 1) > 0,
  })
  await watch.read()
  await expect(watch.read()).rejects.toThrow('busy')

  expect(await watch.read()).toMatchObject({ access: 2 })
})
