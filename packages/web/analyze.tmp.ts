import { build, mergeConfig } from 'vite'
import { gzipSync } from 'node:zlib'
import config from './vite.config.ts'
const t = Date.now()
await build(
  mergeConfig(config, {
    configFile: false,
    build: { outDir: '/tmp/run/w/palette-out', minify: true },
    plugins: [
      {
        name: 'x',
        generateBundle(_: unknown, bundle: Record<string, any>) {
          for (const [name, c] of Object.entries(bundle)) {
            if (c.type === 'chunk')
              for (const id of Object.keys(c.modules))
                if (id.includes('@mantine/core') && id.includes('.module'))
                  console.log('CSS', id.split('/').at(-1), name.split('-')[0])
            if (c.type !== 'chunk' || !/assets\/start-/.test(name)) continue
            const mods = Object.entries(c.modules as Record<string, any>).map(
              ([id, m]) =>
                [
                  id.replace(/.*node_modules\//, 'N/').replace(/.*packages\//, ''),
                  m.renderedLength ?? m.code?.length ?? 0,
                  m.code ? gzipSync(m.code).length : 0,
                ] as const,
            )
            const g = new Map<string, [number, number]>()
            for (const [id, len, gz] of mods) {
              const k = id.startsWith('N/')
                ? id
                    .split('/')
                    .slice(0, id.includes('@') ? 3 : 2)
                    .join('/')
                : id.split('/').slice(0, 4).join('/')
              const o = g.get(k) ?? [0, 0]
              g.set(k, [o[0] + len, o[1] + gz])
            }
            console.log(name, c.code.length)
            for (const [k, v] of [...g].sort((a, b) => b[1][1] - a[1][1]).slice(0, 70)) console.log(v[1], v[0], k)
            console.log('--- modules')
            for (const m of mods.toSorted((a, b) => b[2] - a[2]).slice(0, 130)) console.log(m[2], m[1], m[0])
          }
        },
      },
    ],
  } as any) as any,
)
console.log(Date.now() - t)
