import type { Plugin } from 'vite'

/** Most of what is in these runs before a first page is seen. */
const names = new Set(['start', 'app', 'home'])
/** One of them only calls another. */
const worthwhile = 1000

/**
 * Chromium compiles the functions of these files on another thread while they come, and not each on the thread that draws when it is
 * called for the first time. The comment has to be the first thing in a file, before what Vite puts there.
 */
export const compiledAhead = (): Plugin => ({
  name: 'carrel-compiled-ahead',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler: (_, bundle) => {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && names.has(file.name) && file.code.length > worthwhile)
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
    },
  },
})
