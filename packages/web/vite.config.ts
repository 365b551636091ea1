import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractForBrowsers } from './build/contract.ts'
import { firstPaint } from './build/first-paint.ts'
import { mantineVariables } from './build/mantine-variables.ts'

const server = process.env.CARREL_DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  // Relative: where the app lives is known only when it is served.
  base: './',
  plugins: [contractForBrowsers(), mantineVariables(), firstPaint(), react()],
  build: {
    outDir: '../server/dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // A data: address would need a looser policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One small sheet rather than one for each part of a page.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // Parts that several pages share import each other in circles: each module still runs after what it needs.
        strictExecutionOrder: true,
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What every page needs is one file; what only some need goes together where it is small.
            { name: 'start', tags: ['$initial'], priority: 1 },
            { name: 'part', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 60_000 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/media', '/health'].map((path) => [path, { target: server }])),
  },
  logLevel: 'warn',
})
