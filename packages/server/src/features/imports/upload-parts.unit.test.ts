import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/smoke/temporary-folder.ts'
import { uploadFolder, uploadParts } from './upload-parts.ts'

test('A6 an upload of which a part could not be flushed begins anew', async () => {
  await using temporary = await temporaryFolder()
  const storedAt = { dataDir: temporary.path, objectStore: undefined }
  const parts = uploadParts(storedAt)
  await parts.add('fine', 0, Buffer.from('one'))
  await mkdir(uploadFolder(storedAt), { recursive: true })
  // Linux takes what is written to it, and refuses to flush it.
  await symlink('/dev/null', join(uploadFolder(storedAt), 'failing.upload'))

  await expect(parts.add('failing', 0, Buffer.from('one'))).rejects.toThrow(/EINVAL/)

  expect(await parts.ids()).toEqual(['fine'])
  expect([await parts.received('fine'), await parts.received('failing')]).toEqual([3, 0])
})
