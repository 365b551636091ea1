import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The SDK as it is published: JavaScript and declarations, for people who have nothing else of this repository. Inside of it, the
 * sources are used as they are.
 */
const sdk = join(import.meta.dirname, '../packages/plugin-sdk')
const out = join(sdk, 'dist')
const { name, version, license, type, dependencies } = JSON.parse(
  readFileSync(join(sdk, 'package.json'), 'utf8'),
) as Record<'name' | 'version' | 'license' | 'type', string> & { readonly dependencies: unknown }
const built = (path: string) => ({ types: `${path}.d.ts`, default: `${path}.js` })

rmSync(out, { recursive: true, force: true })
const compiler = join(import.meta.dirname, '../node_modules/typescript-native/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', join(sdk, 'tsconfig.build.json')], { stdio: 'inherit' })
for (const path of ['README.md', 'template']) cpSync(join(sdk, path), join(out, path), { recursive: true })
cpSync(join(import.meta.dirname, '../LICENSE'), join(out, 'LICENSE'))
writeFileSync(
  join(out, 'package.json'),
  `${JSON.stringify(
    {
      name,
      version,
      description: 'Make plugins for Carrel: metadata, recommendations',
      license,
      type,
      engines: { node: '>=22' },
      bin: { 'carrel-plugin-try': 'testing/try.js' },
      exports: {
        '.': built('./index'),
        './protocol': built('./protocol/index'),
        './testing': built('./testing/index'),
        './package.json': './package.json',
      },
      dependencies,
    },
    undefined,
    2,
  )}\n`,
)
