import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minifySync, type Plugin } from 'vite'

const file = fileURLToPath(new URL('../src/first-paint.js', import.meta.url))

/** Puts the one script that is no module, and so runs before anything is painted, into the page under a name of its content. */
export const firstPaint = (): Plugin => {
  return {
    name: 'carrel-first-paint',
    buildStart() {
      if (this.environment.mode !== 'build') return
      const source = minifySync(file, readFileSync(file, 'utf8')).code
      this.emitFile({ type: 'asset', name: 'first-paint.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const emitted = Object.keys(bundle ?? {}).find((name) => name.includes('first-paint'))
        return {
          html,
          tags: [{ tag: 'script', attrs: { src: `./${emitted ?? 'src/first-paint.js'}` }, injectTo: 'head-prepend' }],
        }
      },
    },
  }
}
