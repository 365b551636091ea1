import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

const require = createRequire(import.meta.url)

const fontFiles = [
  { family: 'Bebas Neue', weight: '400', file: '@fontsource/bebas-neue/files/bebas-neue-latin-400-normal.woff2' },
  { family: 'Righteous', weight: '400', file: '@fontsource/righteous/files/righteous-latin-400-normal.woff2' },
  {
    family: 'Playfair Display',
    weight: '600',
    file: '@fontsource/playfair-display/files/playfair-display-latin-600-normal.woff2',
  },
  { family: 'Cinzel', weight: '700', file: '@fontsource/cinzel/files/cinzel-latin-700-normal.woff2' },
  { family: 'Comic Neue', weight: '700', file: '@fontsource/comic-neue/files/comic-neue-latin-700-normal.woff2' },
  {
    family: 'Inter Variable',
    weight: '100 900',
    file: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  },
  {
    family: 'Source Serif 4 Variable',
    weight: '200 900',
    file: '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
  },
] as const

/** Pictures look the same wherever they are made: their letters come with the project. */
export const fontFaces = async (): Promise<string> => {
  const faces = await Promise.all(
    fontFiles.map(async ({ family, weight, file }) => {
      const bytes = await readFile(require.resolve(file))
      return `@font-face{font-family:'${family}';font-weight:${weight};src:url(data:font/woff2;base64,${bytes.toString('base64')}) format('woff2')}`
    }),
  )
  return faces.join('\n')
}

/** What was drawn once is drawn for good: the same words make the same picture. */
const cache = join(import.meta.dirname, '../../node_modules/.cache/pictures')

const fileOf = (drawing: string): string => join(cache, `${createHash('sha256').update(drawing).digest('hex')}.jpg`)

/** It draws each of these into a picture of 600 by 900. */
export const draw = async (browser: Browser, drawings: readonly string[]): Promise<Buffer[]> => {
  await mkdir(cache, { recursive: true })
  const missing = drawings.filter((drawing) => !existsSync(fileOf(drawing)))
  if (missing.length > 0) await drawAnew(browser, missing)
  return Promise.all(drawings.map((drawing) => readFile(fileOf(drawing))))
}

const drawAnew = async (browser: Browser, drawings: readonly string[]): Promise<void> => {
  const page = await browser.newPage({ viewport: { width: 600, height: 900 } })
  await page.setContent(
    `<style>${await fontFaces()} body{margin:0;overflow:hidden} main{position:relative;width:600px;height:900px;overflow:hidden}</style><main></main>`,
  )
  for (const drawing of drawings) {
    await page.evaluate(
      `document.querySelector('main').innerHTML = ${JSON.stringify(drawing)}; document.fonts.ready.then(() => undefined)`,
    )
    await writeFile(fileOf(drawing), await page.screenshot({ type: 'jpeg', quality: 88 }))
  }
  await page.close()
}
