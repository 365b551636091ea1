import { expect, onTestFinished, test, vi } from 'vitest'
import { libraryFolder } from '../../../../test/library-folder.ts'
import type { FromWalker } from './messages.ts'
import { Walk } from './walk.ts'

test('W14 a walk through one folder with many files on slow storage gives signs of life', async () => {
  await using folder = await libraryFolder()
  for (let index = 0; index < 30; index += 1) await folder.write(`${index}.cbz`, 'x')
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 200))
  onTestFinished(() => void vi.restoreAllMocks())
  const told: FromWalker[] = []
  const target = { rootPath: folder.path, folder: '', exclude: [], extensions: ['.cbz'] }
  const walk = new Walk(target, (message) => {
    told.push(message)
    if (message.kind === 'need') queueMicrotask(() => walk.receive(message.of, [], true))
  })

  await walk.run()

  const seen = told.flatMap((message) => (message.kind === 'turning' ? message.filesSeen : []))
  expect(seen.filter((count) => count > 0 && count < 30).length).toBeGreaterThan(5)
})
