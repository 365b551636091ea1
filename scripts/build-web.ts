import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { writePackagesIn } from './bundled-packages.ts'

/** It builds the web app into a folder, and packs its files so that the server has nothing left to do. */
export const bundleWeb = async (source: string, out: string): Promise<void> => {
  // The build is always a production build, even when a test starts it: users get the fast React, not the one with
  // diagnostics.
  process.env.NODE_ENV = 'production'
  const modules = new Set<string>()
  await build({
    root: source,
    configFile: join(source, 'vite.config.ts'),
    plugins: [noting(modules)],
    build: { outDir: out },
  })
  writePackagesIn([...modules], join(out, '../web-bundled.json'))
  const assets = join(out, 'assets')
  for (const name of readdirSync(assets)) pack(join(assets, name))
}

/** Sheets too, which are in no chunk in the end. */
const noting = (modules: Set<string>): Plugin => ({
  name: 'noting-modules',
  buildEnd() {
    for (const id of this.getModuleIds()) modules.add(id)
  },
})

const pack = (file: string): void => {
  if (!/\.(js|css|svg|json|wasm)$/.test(file)) return
  const bytes = readFileSync(file)
  const packed = {
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    gz: gzipSync(bytes, { level: 9 }),
  }
  for (const [ending, content] of Object.entries(packed)) {
    if (content.length < bytes.length) writeFileSync(`${file}.${ending}`, content)
  }
}
