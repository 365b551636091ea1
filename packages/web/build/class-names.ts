import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { Plugin } from 'vite'

/**
 * A style sheet's classes are imported one by one instead of as an object of all of them: each is then written where it
 * is used, and those that only other selectors name are left out.
 */
export const classNames = (): Plugin => ({
  name: 'carrel-class-names',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/.*\.tsx$/ },
    handler: (code) => code.replaceAll(/^import (\w+) from ('[^']+\.module\.css')/gm, 'import * as $1 from $2'),
  },
})

/** Short, for each class is written into the scripts too; the same on every machine. */
export const classNameIn = (name: string, file: string): string =>
  `${name}-${createHash('sha1')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4)}`
