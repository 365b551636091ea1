import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { homeChunk, startingChunks } from './build/chunks.ts'
import { classNameIn, classNames } from './build/class-names.ts'
import { compiledAhead } from './build/compiled-ahead.ts'
import { contractForBrowsers } from './build/contract.ts'
import { ebookEngine } from './build/ebook-engine.ts'
import { firstPaint } from './build/first-paint.ts'
import { layers } from './build/layers.ts'
import { mantineSheets } from './build/mantine-sheets.ts'
import { mantineVariables } from './build/mantine-variables.ts'
import { readerPage } from './build/reader-page.ts'
import { completeStrings } from './build/strings.ts'
import { translations } from './build/translations.ts'
import { unusedParts } from './build/unused-parts.ts'
import { webManifest } from './build/web-manifest.ts'

/** What TanStack's store asks of React, without what stands in for it in versions before 18. */
const storeOfReact = {
  find: 'use-sync-external-store/shim/with-selector',
  replacement: 'use-sync-external-store/with-selector',
}

const server = process.env.CARREL_DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  // Relative: where the app lives is known only when it is served.
  base: './',
  plugins: [
    readerPage(),
    completeStrings(),
    classNames(),
    contractForBrowsers(),
    ebookEngine(),
    layers(),
    mantineSheets(),
    mantineVariables(),
    firstPaint(),
    unusedParts(),
    webManifest(),
    react(),
    compiledAhead(),
  ],
  resolve: { alias: [translations, storeOfReact] },
  css: { modules: { generateScopedName: classNameIn } },
  build: {
    outDir: '../server/dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // A data: address would need a looser policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // e2e/budgets.browser.test.ts says how large it may be.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Two documents, each with a policy of its own.
      input: { app: `${import.meta.dirname}/index.html`, reader: `${import.meta.dirname}/read.html` },
      output: {
        // Parts that several pages share import each other in circles: each module still runs after what it needs.
        strictExecutionOrder: true,
        // A map of these names is in what every page loads: of a few hundred files seven signs tell any two contents apart.
        chunkFileNames: ({ name }) => `assets/${name.split(/[~_]/)[0]}-[hash:7].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${name.split(/[~.]/)[0]}-[hash:7][extname]`,
        codeSplitting: {
          groups: [
            {
              name: startingChunks(),
              debugName: 'start',
              tags: ['$initial'],
              priority: 2,
              includeDependenciesRecursively: false,
            },
            // What many pages need goes together, or a page would come in dozens of files. What a few need stays apart: all of it together
            // was as much again as what the app begins with, and the sign-in waited for it too.
            { name: 'part', minShareCount: 4, priority: 1, includeDependenciesRecursively: false },
            { name: homeChunk(), debugName: 'home', includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  // The file stays as it is, so that its lines can be replaced.
  optimizeDeps: { exclude: ['foliate-js'] },
  server: {
    proxy: Object.fromEntries(['/api', '/media', '/health'].map((path) => [path, { target: server }])),
  },
  logLevel: 'warn',
})
