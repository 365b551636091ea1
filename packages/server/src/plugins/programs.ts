import { access, constants } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'

export const minimalPath = '/usr/local/bin:/usr/bin:/bin'

/** It searches the folders of the system, and those given. */
export const which = async (name: string, more = ''): Promise<string | undefined> => {
  for (const folder of [...minimalPath.split(':'), ...more.split(':').filter(isAbsolute)]) {
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
