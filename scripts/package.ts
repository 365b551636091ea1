import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './packaging/locked.ts'

/** `npm run package -- npm|deb|image [--arch amd64|arm64] [--out FOLDER]`: what is installed elsewhere, made of this tree. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { arch: { type: 'string', default: process.arch }, out: { type: 'string', default: join(root, 'dist') } },
})

const make: Readonly<Record<string, () => Promise<string>>> = {
  npm: async () => (await import('./packaging/npm.ts')).packForNpm(values.out),
  deb: async () => {
    const { architectureNamed } = await import('./packaging/installed.ts')
    return (await import('./packaging/deb.ts')).packForDebian(values.out, architectureNamed(values.arch))
  },
  image: async () => {
    const { architectureNamed } = await import('./packaging/installed.ts')
    return (await import('./packaging/image.ts')).makeImage(values.out, architectureNamed(values.arch))
  },
}

const [what = '', ...more] = positionals
const chosen = make[what]
if (!chosen || more.length > 0) {
  process.stderr.write(`Say what to make, one of ${Object.keys(make).join(', ')}: npm run package -- npm\n`)
  process.exit(2)
}
const file = await chosen()
process.stdout.write(`${file}: ${(statSync(file).size / 1024 / 1024).toFixed(1)} MiB\n`)
