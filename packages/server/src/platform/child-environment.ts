import { getCompileCacheDir } from 'node:module'

/**
 * What the processes that read files get of our surroundings: no secret, no address of a database. Where this process
 * keeps compiled code they find theirs, and start in half the time.
 */
export const childEnvironment = (more: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const compiled = getCompileCacheDir()
  return { ...more, ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }) }
}
