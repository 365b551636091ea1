import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HtmlTagDescriptor, Plugin } from 'vite'

const pictureOf = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../src/icons/${name}.png`, import.meta.url)))

const hashed = (name: string, ending: string, content: string | Buffer): string =>
  `assets/${name}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${ending}`

/** Addresses in it count from the manifest itself, so that it holds below any base path. */
const manifestWith = (icons: readonly (readonly [file: string, sizes: string, purpose: string])[]): string =>
  JSON.stringify({
    name: 'Carrel',
    short_name: 'Carrel',
    description: 'Your library of comics, manga and books.',
    lang: 'en',
    id: '../',
    start_url: '../',
    scope: '../',
    display: 'standalone',
    background_color: '#f7f7f5',
    theme_color: '#f7f7f5',
    categories: ['books', 'entertainment'],
    icons: icons.map(([file, sizes, purpose]) => ({ src: file, sizes, type: 'image/png', purpose })),
    shortcuts: [
      { name: 'Continue reading', short_name: 'Continue', url: '../continue' },
      { name: 'Search', url: '../search' },
    ],
  })

/** What browsers need to put the app among the apps of a phone or a desktop: a manifest and its icons. */
export const webManifest = (): Plugin => {
  const icons = (['icon-192', 'icon-512', 'icon-maskable', 'apple-touch-icon'] as const).map((name) => {
    const source = pictureOf(name)
    return { name, source, fileName: hashed(name, 'png', source) }
  })
  const fileOf = (name: string): string => icons.find((icon) => icon.name === name)?.fileName ?? ''
  const besides = (name: string): string => fileOf(name).replace('assets/', '')
  const manifest = manifestWith([
    [besides('icon-192'), '192x192', 'any'],
    [besides('icon-512'), '512x512', 'any'],
    [besides('icon-maskable'), '512x512', 'maskable'],
  ])
  const manifestFile = hashed('app', 'webmanifest', manifest)
  const link = (rel: string, file: string): HtmlTagDescriptor => ({
    tag: 'link',
    attrs: { rel, href: `./${file}` },
    injectTo: 'head',
  })
  return {
    name: 'carrel-web-manifest',
    apply: 'build',
    buildStart() {
      for (const { fileName, source } of icons) this.emitFile({ type: 'asset', fileName, source })
      this.emitFile({ type: 'asset', fileName: manifestFile, source: manifest })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { filename }) => ({
        html,
        // The reader is a document of the same app: it is the app that is put there.
        tags: filename.endsWith('index.html')
          ? [link('manifest', manifestFile), link('apple-touch-icon', fileOf('apple-touch-icon'))]
          : [],
      }),
    },
  }
}
