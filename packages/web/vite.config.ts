import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { startingChunks } from './build/chunks.ts'
import { classNameIn, classNames } from './build/class-names.ts'
import { contractForBrowsers } from './build/contract.ts'
import { ebookEngine } from './build/ebook-engine.ts'
import { firstPaint } from './build/first-paint.ts'
import { mantineVariables } from './build/mantine-variables.ts'
import { readerPage } from './build/reader-page.ts'
import { webManifest } from './build/web-manifest.ts'
import { completeStrings } from './build/strings.ts'

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
    mantineVariables(),
    firstPaint(),
    webManifest(),
    react(),
  ],
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
    // One small sheet rather than one for each part of a page.
    cssCodeSplit: false,
    rolldownOptions: {
      // Two documents, each with a policy of its own.
      input: { app: `${import.meta.dirname}/index.html`, reader: `${import.meta.dirname}/read.html` },
      output: {
        // Parts that several pages share import each other in circles: each module still runs after what it needs.
        strictExecutionOrder: true,
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            {
              name: startingChunks(),
              debugName: 'start',
              tags: ['$initial'],
              priority: 1,
              includeDependenciesRecursively: false,
            },
            // What only some pages need goes together where it is small.
            { name: 'part', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 60_000 },
          ],
        },
      },
    },
  },
  // As it is, so that its lines can be replaced.
  optimizeDeps: { exclude: ['foliate-js'] },
  server: {
    proxy: Object.fromEntries(['/api', '/media', '/health'].map((path) => [path, { target: server }])),
  },
  logLevel: 'warn',
})
