import { readdirSync, statSync } from 'node:fs'

/**
 * This program reports about the given folder: which device it is on and how many names are in it, or why that failed.
 */
export type RootSeen =
  | { readonly dev: number; readonly names: number }
  | { readonly code: string | undefined; readonly message: string }

const seeRoot = (path: string): RootSeen => {
  try {
    return { dev: statSync(path).dev, names: readdirSync(path).length }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { code, message }
  }
}

process.send?.(seeRoot(process.argv[2] ?? ''), undefined, undefined, () => process.exit(0))
