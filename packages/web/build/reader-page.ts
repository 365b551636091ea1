import type { Plugin } from 'vite'

/** While the app is worked on: as the server does, the addresses below `/read/` get the page of the reader. */
export const readerPage = (): Plugin => ({
  name: 'carrel-reader-page',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _, next) => {
      if (/^\/read(?=[/?]|$)/.test(request.url ?? '')) request.url = '/read.html'
      next()
    })
  },
})
