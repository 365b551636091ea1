import { readFileSync } from 'node:fs'

/** The version is that of the product, from the package file beside the sources or the bundle. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version
