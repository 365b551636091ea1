import { rolldown } from 'rolldown'
import { gzipSync } from 'node:zlib'
const size = async (name: string, code: string) => {
  const b = await rolldown({
    input: 'v',
    external: ['react', 'react-dom', 'react/jsx-runtime', 'use-sync-external-store/shim'],
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'v',
        resolveId: (id: string) => (id === 'v' ? import.meta.dirname + '/v.js' : undefined),
        load: (id: string) => (id.endsWith('/v.js') ? code : undefined),
      },
    ],
  } as any)
  const { output } = await b.generate({ minify: true, format: 'es' })
  console.log(name, gzipSync(output[0].code, { level: 9 }).length)
}
await size('i18n', "export {default} from 'i18next'; export {useTranslation, initReactI18next} from 'react-i18next'")
await size('mantine provider', "export {MantineProvider, createTheme} from '@mantine/core'")
await size('mantine provider+box+vh', "export {MantineProvider, createTheme, Box, VisuallyHidden} from '@mantine/core'")
await size(
  'mantine provider+button',
  "export {MantineProvider, createTheme, Button, VisuallyHidden} from '@mantine/core'",
)
await size(
  'mantine provider+button+ai',
  "export {MantineProvider, createTheme, Button,ActionIcon, VisuallyHidden} from '@mantine/core'",
)
